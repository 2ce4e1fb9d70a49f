/**
 * Drain lease: names the request that drains the waiting requests of a group, so that usually one does. Correctness does
 * not depend on it: two passes over a group may run at once.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { DAY_MS, ttlAt, type Clock } from '../runtime/clock.ts';
import { keys, type Key } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import type { JournalGroup } from './journal-reads.ts';

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
export interface SeenLease {
  /** Nobody holds it any more. */
  readonly isFree: boolean;
  /** Requests that the last finished pass has served. */
  readonly served: number;
  /** The nonce of its item; undefined before the first holder. */
  readonly w: string | undefined;
}

/** The leases of groups. */
export interface DrainLeases {
  readonly keyOf: (group: JournalGroup) => Key;
  /** A lease from its item. */
  seen(item: StoredItem | undefined): SeenLease;
  /** Takes a lease that is still as it was read; `false` when another attempt was faster. */
  take(group: JournalGroup, seen: SeenLease, holder: string): Promise<boolean>;
  /** Gives the lease back, unless another attempt holds it by now. */
  release(group: JournalGroup, holder: string, served: number): Promise<void>;
}

const keyOf = ({ property, group }: JournalGroup): Key => keys.drainLease(property, group);

/** The leases on the table. */
export const drainLeases = ({
  table,
  clock,
}: {
  readonly table: Table;
  readonly clock: Clock;
}): DrainLeases => ({
  keyOf,
  seen: (item) => {
    if (!item) return { isFree: true, served: 0, w: undefined };
    const { w, until, served } = v.parse(leaseItem, item);
    return { isFree: clock() > until + SKEW_MS, served, w };
  },
  take: async (group, { w, served }, holder) => {
    const key = keyOf(group);
    const until = clock() + LIFE_MS;
    const set = { holder, until, served, ttl: ttlAt(until + DAY_MS) };
    const outcome = await table.write(
      w === undefined ? { kind: 'insert', key, set } : { kind: 'update', key, set, expect: { w } },
    );
    return outcome === 'applied';
  },
  release: async (group, holder, served) => {
    const set = { until: 0, served };
    await table.write({ kind: 'update', key: keyOf(group), set, expect: { holder } });
  },
});
