import type { Message } from './messages.ts';

/** SQS accepts one message per deduplication id within five minutes. */
const WINDOW_MS = 5 * 60 * 1000;

/** Remembers recent messages by deduplication id, in the order of sending, so that the expired ones come first. */
export const createDeduplication = () => {
  const recent = new Map<string, Message>();
  return {
    find: (id: string, now: number): Message | undefined => {
      for (const [known, { sentAt }] of recent) {
        if (sentAt + WINDOW_MS > now) break;
        recent.delete(known);
      }
      return recent.get(id);
    },
    remember: (id: string, message: Message) => void recent.set(id, message),
  };
};
