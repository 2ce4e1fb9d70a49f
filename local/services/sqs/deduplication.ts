import type { Message } from './messages.ts';

/** SQS takes a second message of one deduplication id within five minutes for the first. */
const WINDOW_MS = 5 * 60 * 1000;

/** Remembers what was sent under which deduplication id. */
export interface Deduplication {
  find(id: string, now: number): Message | undefined;
  remember(id: string, message: Message): void;
}

/** Creates an empty memory; entries are in the order sent, so the expired ones are at its start. */
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
