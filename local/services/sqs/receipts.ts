import { randomUUID } from 'node:crypto';

/** A receive of a message. */
interface Receipt {
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Whether the message was not received again since. */
  readonly isLatest: boolean;
}

/** Creates the receipt handles of one queue. Each receive of a message has a handle of its own. */
export const createReceipts = () => {
  const receives = new Map<string, { readonly messageId: string; readonly receivedAt: number }>();
  const handles = new Map<string, readonly string[]>();
  return {
    /** Returns the handle of a new receive. */
    issue: (messageId: string, receivedAt: number): string => {
      const handle = randomUUID();
      receives.set(handle, { messageId, receivedAt });
      handles.set(messageId, [...(handles.get(messageId) ?? []), handle]);
      return handle;
    },
    /** The receive of a handle; undefined when the queue no longer has the message. */
    find: (handle: string): Receipt | undefined => {
      const known = receives.get(handle);
      return known && { ...known, isLatest: handles.get(known.messageId)?.at(-1) === handle };
    },
    /** Drops the handles of a message. */
    forget: (messageId: string) => {
      for (const handle of handles.get(messageId) ?? []) receives.delete(handle);
      handles.delete(messageId);
    },
  };
};
