/** FIFO message store: the messages of a FIFO queue, in order per message group. */
import type { Message } from './messages.ts';

/** Message store: the messages of a queue, in the order of delivery. */
export interface MessageStore {
  add(message: Message): void;
  remove(message: Message): void;
  /** Reports a change of the message's `visibleAt`. */
  changed(message: Message): void;
  /** The available messages. The caller sets `visibleAt` and calls `changed` before it asks for the next message. */
  available(now: number): Iterable<Message>;
  /** When the next hidden message becomes visible; Infinity without hidden messages. */
  nextVisibleAt(now: number): number;
}

/**
 * FIFO queues: each group in the order of sending, and no message of a group while another one of the group is in
 * flight.
 */
export const fifoMessageStore = (): MessageStore => {
  const groups = new Map<string, Message[]>();
  const groupOf = (message: Message): string => message.groupId ?? '';
  return {
    add: (message) => {
      const group = groups.get(groupOf(message)) ?? [];
      group.push(message);
      groups.set(groupOf(message), group);
    },
    changed: () => undefined,
    remove: (message) => {
      const group = groups.get(groupOf(message)) ?? [];
      const at = group.indexOf(message);
      if (at >= 0) group.splice(at, 1);
      if (group.length === 0) groups.delete(groupOf(message));
    },
    available: (now) => availableOf(groups, now),
    nextVisibleAt: (now) => earliest([...groups.values()].flatMap((group) => hiddenOf(group, now))),
  };
};

function* availableOf(groups: ReadonlyMap<string, Message[]>, now: number): Generator<Message> {
  for (const group of [...groups.values()]) {
    if (hiddenOf(group, now).length > 0) continue;
    // A copy, because the caller may remove a message that was received too often.
    for (const message of group.slice(0, MAX_TAKEN)) {
      if (message.visibleAt > now) break;
      yield message;
    }
  }
}

/** More than one receive takes, so that messages can be redriven meanwhile. */
const MAX_TAKEN = 100;

/** The hidden messages at the head of a group. No message after the first unreceived message has been received. */
const hiddenOf = (group: readonly Message[], now: number): Message[] => {
  const hidden: Message[] = [];
  for (const message of group) {
    if (message.visibleAt > now) hidden.push(message);
    if (message.received === 0) break;
  }
  return hidden;
};

const earliest = (messages: Iterable<Message>): number => {
  let first = Infinity;
  for (const { visibleAt } of messages) first = Math.min(first, visibleAt);
  return first;
};
