/**
 * Throughput: admits reads and writes while their table and their partition have request units left, and throttles
 * further ones. A throttled read or write costs nothing.
 *
 * - Each table has the units of the option, and each partition key has 1,000 write units and 3,000 read units a second
 *   ("Best practices for designing and using partition keys", DynamoDB Developer Guide).
 * - A second without load saves up one second of units. AWS may save up to 300 seconds, but "these burst capacity
 *   details might change in the future" ("DynamoDB burst and adaptive capacity"), so nothing may rely on them.
 * - A table splits a busy partition after minutes at the earliest, and never inside one item. Here no partition splits.
 * - The size of a query, and of the item that a write replaces, is unknown at the admission. So one unit that is left
 *   admits the whole read or write. What it costs beyond that unit delays later ones.
 */
import { ServiceError } from '../../core/service-error.ts';
import type { TableUnits } from '../../core/strictness.ts';
import { arn } from '../../core/arn.ts';

/** A read or write of one item, or of the items of one partition. A scan has no partition. */
export interface Demand {
  readonly access: 'read' | 'write';
  readonly table: string;
  readonly partition?: string;
  readonly units: number;
}

/** The load of a table in one second of the clock. */
export interface SecondOfLoad {
  /** Seconds since the epoch. */
  readonly second: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The part of the write units that writes with a failed condition cost. */
  readonly refusedUnits: number;
  readonly readThrottles: number;
  readonly writeThrottles: number;
}

/** The throughput of the tables. */
export interface Throughput {
  /** Takes the units and returns true, or takes nothing and returns false. */
  admit(demand: Demand): boolean;
  /** Takes further units of an admitted demand, when they are known. */
  charge(demand: Demand): void;
  /** Notes that units already taken were spent on a write whose condition failed. */
  noteRefused(table: string, units: number): void;
  /** The error of a throttled request, as an on-demand table gives it. */
  throttled(access: Demand['access'], table: string): ServiceError;
  /** The load of a table in each of the last 3,600 seconds with a load, the oldest first. */
  loads(table: string): readonly SecondOfLoad[];
}

/** Limits of a table, and the clock in milliseconds since the epoch. */
export interface ThroughputOptions {
  readonly units: TableUnits;
  readonly now: () => number;
}

/** Units of one partition key in a second. */
const PARTITION_UNITS: TableUnits = { write: 1_000, read: 3_000 };

/** The message of a throttled request to an on-demand table. */
export const THROTTLED =
  'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html';

/** Throughput without limits. */
export const unlimited: Throughput = {
  admit: () => true,
  charge: () => undefined,
  noteRefused: () => undefined,
  throttled: () => new ServiceError('ThrottlingException', THROTTLED),
  loads: () => [],
};

/** The limited throughput of tables. Each table has the units for itself. */
export const createThroughput = ({ units, now }: ThroughputOptions): Throughput => {
  const buckets = {
    read: { tables: new Buckets(units.read), partitions: new Buckets(PARTITION_UNITS.read) },
    write: { tables: new Buckets(units.write), partitions: new Buckets(PARTITION_UNITS.write) },
  };
  const history = new Map<string, Load[]>();
  const loadOf = (table: string): Load => loadNow(history, table, now());
  const take = ({ access, table, partition, units: taken }: Demand): void => {
    buckets[access].tables.take(table, taken, now());
    if (partition !== undefined)
      buckets[access].partitions.take(partitionName(table, partition), taken, now());
    loadOf(table)[access === 'read' ? 'readUnits' : 'writeUnits'] += taken;
  };
  const fits = ({ access, table, partition }: Demand): boolean =>
    buckets[access].tables.hasUnits(table, now()) &&
    (partition === undefined || buckets[access].partitions.hasUnits(partitionName(table, partition), now()));
  return {
    admit: (demand) => {
      const admitted = fits(demand);
      if (admitted) take(demand);
      else loadOf(demand.table)[demand.access === 'read' ? 'readThrottles' : 'writeThrottles'] += 1;
      return admitted;
    },
    charge: take,
    noteRefused: (table, refused) => {
      loadOf(table).refusedUnits += refused;
    },
    throttled: (access, table) =>
      new ServiceError('ThrottlingException', THROTTLED, 400, {
        throttlingReasons: [
          {
            reason: `Table${access === 'read' ? 'Read' : 'Write'}KeyRangeThroughputExceeded`,
            resource: arn('dynamodb', `table/${table}`),
          },
        ],
      }),
    loads: (table) => (history.get(table) ?? []).map((load) => ({ ...load })),
  };
};

const partitionName = (table: string, partition: string): string => `${table}\n${partition}`;

type Load = { -readonly [Field in keyof SecondOfLoad]: number };

/** Seconds of load that the history of a table keeps. */
const MOST_SECONDS = 3_600;

/** The load of the current second. */
const loadNow = (history: Map<string, Load[]>, table: string, now: number): Load => {
  const second = Math.floor(now / 1000);
  const loads = history.get(table) ?? [];
  history.set(table, loads);
  const last = loads.at(-1);
  if (last && last.second >= second) return last;
  const load: Load = {
    ...{ second, readUnits: 0, writeUnits: 0, refusedUnits: 0 },
    ...{ readThrottles: 0, writeThrottles: 0 },
  };
  loads.push(load);
  if (loads.length > MOST_SECONDS) loads.shift();
  return load;
};

interface Bucket {
  left: number;
  at: number;
}

/** Number of buckets at which full buckets are forgotten for the first time. */
const FIRST_SWEEP = 10_000;

/** Token buckets of one rate, by name. A bucket that is not known is full. */
class Buckets {
  readonly #rate: number;
  readonly #buckets = new Map<string, Bucket>();
  #sweepAt = FIRST_SWEEP;

  constructor(rate: number) {
    this.#rate = rate;
  }

  hasUnits(name: string, now: number): boolean {
    const bucket = this.#buckets.get(name);
    return bucket === undefined || this.#leftAt(bucket, now) > 0;
  }

  take(name: string, units: number, now: number): void {
    const bucket = this.#buckets.get(name) ?? { left: this.#rate, at: now };
    bucket.left = this.#leftAt(bucket, now) - units;
    bucket.at = Math.max(bucket.at, now);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(now);
  }

  #leftAt({ left, at }: Bucket, now: number): number {
    return Math.min(this.#rate, left + (this.#rate * Math.max(0, now - at)) / 1000);
  }

  /** Forgets full buckets. Doubling the next size keeps the cost of a take constant. */
  #sweep(now: number): void {
    for (const [name, bucket] of this.#buckets)
      if (this.#leftAt(bucket, now) >= this.#rate) this.#buckets.delete(name);
    this.#sweepAt = Math.max(FIRST_SWEEP, this.#buckets.size * 2);
  }
}
