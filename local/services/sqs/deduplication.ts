import type { Message } from './messages.ts';

/** SQS accepts one message per deduplication id within five minutes. */
const WINDOW_MS = 5 * 60 * 1000;

/** Remembers recent messages by deduplication id. */
export interface Deduplication {
  find(id: string, now: number): Message | undefined;
  remember(id: string, message: Message): void;
}

/** Entries are in the order of sending, so the expired entries come first. */
export const createDeduplication = (): Deduplication => {
  const recent = new Map<string, Message>();
  return {
    find: (id, now) => {
      for (const [known, { sentAt }] of recent) {
        if (sentAt + WINDOW_MS > now) break;
        recent.delete(known);
      }
      return recent.get(id);
    },
    remember: (id, message) => void recent.set(id, message),
  };
};
