/** Fair message store: the messages of a standard queue, ordered so that a noisy group does not delay quiet groups. */
import type { Message } from './messages.ts';
import type { MessageStore } from './message-store.ts';
import { createGroupLoads, type GroupLoad } from './group-loads.ts';

/** A visible message, with its position in the order in which messages became visible. */
interface Placed {
  readonly message: Message;
  readonly place: number;
}

/** The messages of one group. All messages without a group share one entry, and each of them counts as quiet. */
interface Group {
  readonly name: string | undefined;
  readonly ready: Map<string, Placed>;
  hidden: number;
}

/**
 * Standard queues are fair queues: they deliver messages in the order in which the messages became visible, but messages
 * of a noisy group only when no quiet group has any. Among noisy groups, the group with the fewest messages in flight
 * comes first.
 */
export const fairMessageStore = (now: () => number): MessageStore => {
  const groups = new Map<string | undefined, Group>();
  const hidden = new Map<string, { readonly message: Message; readonly inFlight: boolean }>();
  const loads = createGroupLoads();
  let places = 0;

  const groupOf = ({ groupId: name }: Message): Group => {
    const known = groups.get(name);
    if (known) return known;
    const group: Group = { name, ready: new Map(), hidden: 0 };
    groups.set(name, group);
    return group;
  };
  const begin = (message: Message, at: number): void => {
    const inFlight = message.received > 0;
    hidden.set(message.id, { message, inFlight });
    groupOf(message).hidden += 1;
    if (inFlight && message.groupId !== undefined) loads.began(message.groupId, at);
  };
  const end = (message: Message, at: number): void => {
    const known = hidden.get(message.id);
    if (!known) return;
    hidden.delete(message.id);
    groupOf(message).hidden -= 1;
    if (known.inFlight && message.groupId !== undefined) loads.ended(message.groupId, at);
  };
  const place = (message: Message): void => {
    const at = now();
    end(message, at);
    const group = groupOf(message);
    group.ready.delete(message.id);
    if (message.visibleAt > at) begin(message, at);
    else group.ready.set(message.id, { message, place: (places += 1) });
  };
  return {
    add: place,
    changed: place,
    remove: (message) => {
      end(message, now());
      const group = groupOf(message);
      group.ready.delete(message.id);
      if (group.ready.size > 0 || group.hidden > 0) return;
      groups.delete(group.name);
      if (group.name !== undefined) loads.consumed(group.name);
    },
    available: (at) => {
      for (const { message } of [...hidden.values()]) if (message.visibleAt <= at) place(message);
      return inFairOrder([...groups.values()], () => loads.current(at));
    },
    nextVisibleAt: () => {
      let first = Infinity;
      for (const { message } of hidden.values()) first = Math.min(first, message.visibleAt);
      return first;
    },
  };
};

/** The state of a group during one receive: its next message, and an iterator over the others. */
interface Cursor {
  readonly name: string | undefined;
  readonly rest: Iterator<Placed>;
  head: Placed | undefined;
}

/**
 * The next messages of the groups: the best group first, then the earliest position. The caller may move a message that
 * it received.
 */
function* inFairOrder(
  groups: readonly Group[],
  current: () => ReadonlyMap<string, GroupLoad>,
): Generator<Message> {
  const cursors = groups.map(({ name, ready }): Cursor => {
    const rest = ready.values();
    return { name, rest, head: nextOf(rest) };
  });
  for (;;) {
    const known = current();
    const [best] = cursors
      .flatMap((cursor) =>
        cursor.head ? [{ cursor, head: cursor.head, load: known.get(cursor.name ?? '') }] : [],
      )
      .toSorted((a, b) => compare(a.load, b.load) || a.head.place - b.head.place);
    if (!best) return;
    yield best.head.message;
    best.cursor.head = nextOf(best.cursor.rest);
  }
}

/**
 * Quiet before noisy groups. Among noisy groups, as documented, the group with the fewest messages in flight; then the
 * group with less processing time.
 */
const compare = (one: GroupLoad | undefined, other: GroupLoad | undefined): number => {
  const [first, second] = [one?.noisy === true, other?.noisy === true];
  if (!first || !second || !one || !other) return Number(first) - Number(second);
  return one.inFlight - other.inFlight || one.busy - other.busy;
};

const nextOf = (rest: Iterator<Placed, unknown>): Placed | undefined => {
  const { value, done } = rest.next();
  return done ? undefined : value;
};
