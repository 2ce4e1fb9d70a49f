import type { Message } from './messages.ts';

/** Keeps the messages of a queue in the order in which they may be taken. */
export interface Shelf {
  add(message: Message): void;
  remove(message: Message): void;
  /** Tells that a message's `visibleAt` changed. */
  changed(message: Message): void;
  /** The messages that may be taken now; the taker sets `visibleAt` and says `changed` before it asks for the next. */
  takeable(now: number): Iterable<Message>;
  /** When the next hidden message shows itself; Infinity when none is hidden. */
  nextVisibleAt(now: number): number;
}

/** FIFO queues: per group in the order sent, and nothing of a group while one of its messages is in flight. */
export const fifoShelf = (): Shelf => {
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
    takeable: (now) => takeableOf(groups, now),
    nextVisibleAt: (now) => earliest([...groups.values()].flatMap((group) => hiddenOf(group, now))),
  };
};

function* takeableOf(groups: ReadonlyMap<string, Message[]>, now: number): Generator<Message> {
  for (const group of [...groups.values()]) {
    if (hiddenOf(group, now).length > 0) continue;
    // A copy, since the taker may remove what has been received too often.
    for (const message of group.slice(0, MAX_TAKEN)) {
      if (message.visibleAt > now) break;
      yield message;
    }
  }
}

/** More than one receive takes, with room for messages that are redriven on the way. */
const MAX_TAKEN = 100;

/** The hidden messages at the head of a group; behind the first untouched one there are none. */
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
