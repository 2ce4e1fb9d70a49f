import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Key } from '../../shared/table/keys.ts';
import type { SideTime } from './side-time.ts';

/** Units per second that DynamoDB serves of one partition key. */
export const partitionLimits = { read: 3_000, write: 1_000 };
type Kind = keyof typeof partitionLimits;

/** The units of a partition key: a bucket of one second, and the units of each second so far. */
interface Bucket {
  left: number;
  at: number;
  readonly bySecond: Map<number, number>;
}

/** The busiest second of a partition key. */
export interface Peak {
  readonly pk: string;
  readonly units: number;
}

const sum = (units: Iterable<number>): number => [...units].reduce((total, one) => total + one, 0);

/**
 * Counts the units of calls in virtual time, by kind of item, and holds DynamoDB's limits of a partition key: a bucket
 * that refills by the second.
 */
export class UnitMeter {
  readonly #time: SideTime;
  readonly #buckets = { read: new Map<string, Bucket>(), write: new Map<string, Bucket>() };
  readonly #units = { read: new Map<string, number>(), write: new Map<string, number>() };
  readonly #refused = new Map<string, number>();
  #throttled = 0;

  constructor(time: SideTime) {
    this.#time = time;
  }

  /** Reads and writes that were throttled. */
  get throttled(): number {
    return this.#throttled;
  }

  read({ pk }: Key, units: number): boolean {
    return this.#take('read', pk, units);
  }

  write({ pk }: Key, units: number): boolean {
    return this.#take('write', pk, units);
  }

  /** Notes that writes were refused by their condition. They have cost their units. */
  refused({ pk }: Key, units: number): void {
    add(this.#refused, kindOfKey(pk), units);
  }

  /** All units of a kind. */
  total(kind: Kind): number {
    return sum(this.#units[kind].values());
  }

  /** Write units of writes that were refused. */
  totalRefused(): number {
    return sum(this.#refused.values());
  }

  /** Units by kind of item, the most first. */
  byItem(kind: Kind): readonly (readonly [item: string, units: number])[] {
    return [...this.#units[kind]].sort(([, a], [, b]) => b - a);
  }

  /** The busiest second of each kind of item, the busiest first. */
  peaks(kind: Kind): readonly Peak[] {
    const peaks = new Map<string, Peak>();
    for (const [pk, { bySecond }] of this.#buckets[kind]) {
      const units = Math.max(...bySecond.values());
      const known = peaks.get(kindOfKey(pk));
      if (!known || known.units < units) peaks.set(kindOfKey(pk), { pk, units });
    }
    return [...peaks.values()].sort((a, b) => b.units - a.units);
  }

  #take(kind: Kind, pk: string, units: number): boolean {
    const limit = partitionLimits[kind];
    const { now } = this.#time;
    const bucket = this.#buckets[kind].get(pk) ?? { left: limit, at: now, bySecond: new Map() };
    this.#buckets[kind].set(pk, bucket);
    bucket.left = Math.min(limit, bucket.left + ((now - bucket.at) / 1_000) * limit);
    bucket.at = now;
    if (bucket.left < units) {
      this.#throttled += 1;
      return false;
    }
    bucket.left -= units;
    add(bucket.bySecond, Math.floor(now / 1_000), units);
    add(this.#units[kind], kindOfKey(pk), units);
    return true;
  }
}

const add = <K>(sums: Map<K, number>, name: K, units: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + units);
};
