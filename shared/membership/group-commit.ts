/**
 * Group commit: indexes the changes of requests, whose clients wait. A request that meets no other indexes its change at
 * once. Requests that meet leave their changes in the journal, and one of them, the leader, indexes them all in one pass.
 * So a chunk is written once for many people, however many requests arrive. A few that meet again and again part: see
 * `tracks.ts`.
 */
import * as v from 'valibot';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { type Clock, DAY_MS, ttlAt } from '../runtime/clock.ts';
import { checkDeadline } from '../runtime/deadline.ts';
import type { Pause } from '../runtime/pause.ts';
import { groupOf, keys, type Key } from '../table/keys.ts';
import type { Table, StoredItem } from '../table/table.ts';
import { drainRequests } from './drain.ts';
import type { Journal, JournalEntry, JournalGroup } from './journal.ts';
import type { ChunksAhead, IndexGuard, MembershipIndex, Seen } from './membership.ts';
import { ordinalsOf, type Pairs } from './pairs.ts';
import type { Tracks } from './tracks.ts';
import { limits } from '../config/limits.ts';

export interface GroupCommitDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly journal: Journal;
  readonly membership: MembershipIndex;
  readonly tracks: Tracks;
}

/**
 * A group is busy when its last pass has served this many requests. Alone, a request writes seven chunks or so. A pass
 * costs two writes of the lease, and one of the journal for each request, and takes longer.
 */
const BUSY = 3;

/** How long a process leaves its changes to a leader once it has seen that a group is busy. */
const BUSY_MS = 2_000;

/** Groups that a process remembers. */
const CACHED = 1_000;

/** Requests of a group that look at the lease in one round of polls, about: its item has 3,000 read units per second. */
const WATCHERS = 16;

/** The pause between two polls, as an attempt number of the pause: 50 ms on average. */
const POLL = 2;

/** What a process remembers of a group. */
interface Busy {
  readonly until: number;
  readonly served: number;
}

/** The busy groups that a process has seen. It tells its tracks. */
const busyGroups = (clock: Clock, tracks: Tracks) => {
  const known = new BoundedMap<string, Busy>(CACHED);
  const nameOf = (property: number, group: number): string => `${property} ${group}`;
  return {
    note: (property: number, group: number, served: number): void => {
      tracks.served(property, served);
      if (served >= BUSY) known.set(nameOf(property, group), { until: clock() + BUSY_MS, served });
    },
    busy: (property: number, group: number): Busy | undefined => {
      const found = known.get(nameOf(property, group));
      return found && clock() < found.until ? found : undefined;
    },
  };
};

/** Commits the index changes of requests. */
export const groupCommit = ({ table, clock, pause, journal, membership, tracks }: GroupCommitDeps) => {
  const leases = drainLeases({ table, clock });
  const { note, busy } = busyGroups(clock, tracks);
  /** In a track of its own a process meets others at a chunk, and need not go by a lease. */
  const isApart = (property: number): boolean => tracks.of(property) !== 0;

  /** Leads the waiting requests of a group, unless another request does. Returns whether it did. */
  const lead = async (property: number, group: number, holder: string): Promise<boolean> => {
    const place = { property, group };
    const seen = leases.seen(await table.get(leases.keyOf(place)));
    if (!seen.isFree || !(await leases.take(place, seen, holder))) {
      note(property, group, seen.served);
      return false;
    }
    let served = 0;
    try {
      served = (await drainRequests({ journal, membership }, property, group)).retired;
    } finally {
      await leases.release(place, holder, served);
    }
    note(property, group, served);
    return true;
  };

  /** Stops an indexer of groups whose lease is held, unless it is apart; undefined for groups that are known to be busy. */
  const guardOf = (property: number, pairs: Pairs): IndexGuard | undefined => {
    const groups = [...new Set(pairs.flatMap(ordinalsOf).map(groupOf))];
    if (!isApart(property) && groups.some((group) => busy(property, group))) return undefined;
    return {
      keys: groups.map((group) => leases.keyOf({ property, group })),
      stops: (items) => {
        const held = items.map((item) => leases.seen(item)).findIndex(({ isFree }) => !isFree);
        const [group, item] = [groups[held], items[held]];
        if (group !== undefined) note(property, group, leases.seen(item).served);
        return group !== undefined && !isApart(property);
      },
    };
  };

  return {
    /** Reads what `alone` reads first, ahead of the profile writes. Undefined when `alone` reads it itself. */
    chunksAhead: async (property: number, pairs: Pairs): Promise<ChunksAhead | undefined> => {
      const guard = guardOf(property, pairs);
      return guard && membership.chunksAhead(property, pairs, guard);
    },
    /** Indexes pairs unless another request is at work on their groups. `false`: use `untilIndexed`. */
    alone: async (property: number, pairs: Pairs, seen?: Seen): Promise<boolean> => {
      const guard = guardOf(property, pairs);
      if (!guard) return false;
      const isDone = await membership.reindexAlone(property, pairs, guard, seen);
      const [first] = pairs.slice(0, 1).flatMap(ordinalsOf);
      if (!isDone && first !== undefined) tracks.met(property, first);
      return isDone;
    },
    /**
     * Waits until the index shows all pairs of a closed entry, and drains the waiting requests when it is this request's
     * turn. Throws `UnavailableError` when the deadline of the work comes first. The drainer then indexes the entry.
     */
    untilIndexed: async ({ property, attemptId, opened, items }: JournalEntry): Promise<void> => {
      let left = items;
      for (let round = 0; ; round += 1) {
        checkDeadline();
        const [first] = left;
        if (!first) return;
        // Every so many-th request looks at the lease; `opened` spreads the requests over the rounds.
        const every = Math.ceil((busy(property, first.group)?.served ?? 0) / WATCHERS);
        const isMyTurn = every <= 1 || (opened + round) % every === 0;
        if (!isMyTurn || !(await lead(property, first.group, attemptId))) await pause(POLL);
        left = await journal.left(left);
      }
    },
  };
};

export type GroupCommit = ReturnType<typeof groupCommit>;

/** Life of a lease: many times a pass. When its holder dies, the group waits for this time and the clock skew. */
const LIFE_MS = 2_000;
const SKEW_MS = limits.clockSkewSeconds * 1_000;

const leaseItem = v.object({
  w: v.string(),
  /** The attempt that holds the lease, or held it last. */
  holder: v.string(),
  /** Epoch milliseconds of its end; 0 once it is released. */
  until: v.number(),
  /** Requests that the last finished pass has served. */
  served: v.number(),
});

/** A lease as read. */
interface SeenLease {
  /** Nobody holds it any more. */
  readonly isFree: boolean;
  /** Requests that the last finished pass has served. */
  readonly served: number;
  /** The nonce of its item; undefined before the first holder. */
  readonly w: string | undefined;
}

const keyOf = ({ property, group }: JournalGroup): Key => keys.drainLease(property, group);

/**
 * The leases of groups: they name the request that drains the waiting requests of a group, so that usually one does.
 * Correctness does not depend on it: two passes over a group may run at once.
 */
const drainLeases = ({ table, clock }: { readonly table: Table; readonly clock: Clock }) => ({
  keyOf,
  /** A lease from its item. */
  seen: (item: StoredItem | undefined): SeenLease => {
    if (!item) return { isFree: true, served: 0, w: undefined };
    const { w, until, served } = v.parse(leaseItem, item);
    return { isFree: clock() > until + SKEW_MS, served, w };
  },
  /** Takes a lease that is still as it was read; `false` when another attempt was faster. */
  take: async (group: JournalGroup, { w, served }: SeenLease, holder: string): Promise<boolean> => {
    const key = keyOf(group);
    const until = clock() + LIFE_MS;
    const set = { holder, until, served, ttl: ttlAt(until + DAY_MS) };
    const outcome = await table.write(
      w === undefined ? { kind: 'insert', key, set } : { kind: 'update', key, set, expect: { w } },
    );
    return outcome === 'applied';
  },
  /** Gives the lease back, unless another attempt holds it by now. */
  release: async (group: JournalGroup, holder: string, served: number): Promise<void> => {
    const set = { until: 0, served };
    await table.write({ kind: 'update', key: keyOf(group), set, expect: { holder } });
  },
});
