import { randomUUID } from 'node:crypto';

/** A receive of a message. */
interface Receipt {
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Whether the message was not received again since. */
  readonly isLatest: boolean;
}

/** The receipt handles of a queue. Each receive of a message has a handle of its own. */
export interface Receipts {
  /** Returns the handle of a new receive. */
  issue(messageId: string, receivedAt: number): string;
  /** The receive of a handle; undefined when the queue no longer has the message. */
  find(handle: string): Receipt | undefined;
  /** Drops the handles of a message. */
  forget(messageId: string): void;
}

/** Creates the receipt handles of one queue. */
export const createReceipts = (): Receipts => {
  const receives = new Map<string, { readonly messageId: string; readonly receivedAt: number }>();
  const handles = new Map<string, readonly string[]>();
  return {
    issue: (messageId, receivedAt) => {
      const handle = randomUUID();
      receives.set(handle, { messageId, receivedAt });
      handles.set(messageId, [...(handles.get(messageId) ?? []), handle]);
      return handle;
    },
    find: (handle) => {
      const known = receives.get(handle);
      return known && { ...known, isLatest: handles.get(known.messageId)?.at(-1) === handle };
    },
    forget: (messageId) => {
      for (const handle of handles.get(messageId) ?? []) receives.delete(handle);
      handles.delete(messageId);
    },
  };
};
