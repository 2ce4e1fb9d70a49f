/**
 * Simulation in virtual time: the import workers of a stage store the rows of a file beside lookups, on a table of so
 * many units. The product's own code decides when a call leaves and when it is repeated; the table, the vCPU of a
 * worker and the queue are simulated.
 */
import { importWorkersFor } from '../../lib/config/import-workers.ts';
import { limits } from '../../shared/config/limits.ts';
import { withDeadline } from '../../shared/runtime/deadline.ts';
import type { Pause } from '../../shared/runtime/pause.ts';
import { batchesOf, mapLimited } from '../../shared/runtime/pool.ts';
import { retryRemaining } from '../../shared/runtime/retry.ts';
import {
  sendPaced,
  ThrottledCall,
  type RateControl,
  rateControl,
  uncontrolled,
} from '../../shared/table/rate-control.ts';
import { seeded } from '../ingest/interleave.ts';
import { SideTime } from '../support/side-time.ts';

/** What to simulate. */
export interface Scene {
  readonly rows: number;
  /** Write units per second of the table, and as many read units. */
  readonly units: number;
  /** Rows that the vCPU of a worker computes in a second. */
  readonly rowsPerWorkerSecond: number;
  readonly workers?: number;
}

/** Milliseconds of a call to DynamoDB, of a call to S3, and of a cold start. */
const TABLE_MS = { least: 4, most: 10 };
const OBJECT_MS = 40;
const COLD_START_MS = 900;

/** Lambda begins with five batches of a queue at once, and starts up to five more every second. */
const STARTED_PER_SECOND = 5;

/** As `dynamo-table.ts` sends them. */
const KEYS_PER_CALL = 100;
const STATEMENTS_PER_CALL = 25;
const CALLS_AT_ONCE = 4;

/** A lookup reads a few items, so many times a second. */
const LOOKUP = { everyMs: 50, items: 3 };

/** Units that refill by the second. A second without load saves up one second of units. */
class Bucket {
  readonly #perSecond: number;
  readonly #time: SideTime;
  #units = 0;
  #at = 0;
  served = 0;
  throttled = 0;

  constructor(perSecond: number, time: SideTime) {
    this.#perSecond = perSecond;
    this.#time = time;
  }

  take(wanted: number): number {
    const earned = (this.#perSecond * (this.#time.now - this.#at)) / 1_000;
    this.#units = Math.min(this.#perSecond, this.#units + earned);
    this.#at = this.#time.now;
    const given = Math.min(wanted, Math.floor(this.#units));
    this.#units -= given;
    this.served += given;
    this.throttled += wanted - given;
    return given;
  }
}

/** Runs a scene. Throws when a batch does not end within the time of its function. */
export const simulateImport = async (scene: Scene) => {
  const { rows, units, rowsPerWorkerSecond, workers = importWorkersFor(units) } = scene;
  const { rowsPerChunk, rowsPerSlice, slicesAtOnce, writeUnitsPerRow, readUnitsPerRow } = limits.imports;
  const time = new SideTime(1);
  const clock = (): number => time.now;
  const choose = seeded(17);
  const random = (): number => choose(1_000_000) / 1_000_000;
  const buckets = { write: new Bucket(units, time), read: new Bucket(units, time) };
  const pause: Pause = (attempt) => time.sleep(random() * Math.min(2_000, 25 * 2 ** attempt));

  /** Reads or writes items until the table has served all of them. */
  const settle = (control: RateControl, bucket: Bucket, items: number, perCall: number): Promise<void> => {
    const retry = { pause, what: 'simulated calls', patience: control.patience };
    const wanted = Array.from({ length: items }, (_, item) => item);
    return retryRemaining(retry, wanted, async (left) => {
      const again: number[] = [];
      await mapLimited([...batchesOf(left, perCall)], CALLS_AT_ONCE, async (batch) => {
        const answer = await sendPaced({
          control,
          items: batch.length,
          send: async () => {
            await time.sleep(TABLE_MS.least + random() * (TABLE_MS.most - TABLE_MS.least));
            return { ConsumedCapacity: { CapacityUnits: bucket.take(batch.length) } };
          },
          throttledOf: ({ ConsumedCapacity }) => batch.length - ConsumedCapacity.CapacityUnits,
        });
        if (answer instanceof ThrottledCall) again.push(...batch);
        else again.push(...batch.slice(answer.ConsumedCapacity.CapacityUnits));
      });
      return again;
    });
  };

  const chunks = [
    ...batchesOf(
      Array.from({ length: rows }, (_, row) => row),
      rowsPerChunk,
    ),
  ].map(({ length }) => length);
  const left = { workers };

  const work = async (index: number): Promise<void> => {
    const control = { read: rateControl({ clock, sleep }), write: rateControl({ clock, sleep }) };
    let computed: Promise<void> = Promise.resolve();
    const slice = async (length: number): Promise<void> => {
      await settle(control.read, buckets.read, Math.round(length * readUnitsPerRow), KEYS_PER_CALL);
      // One vCPU computes one slice after the other.
      computed = computed.then(() => time.sleep((1_000 * length) / rowsPerWorkerSecond));
      await computed;
      await settle(control.write, buckets.write, Math.round(length * writeUnitsPerRow), STATEMENTS_PER_CALL);
    };
    const importBatch = async (length: number): Promise<void> => {
      await time.sleep(OBJECT_MS);
      const slices = Array.from({ length: Math.ceil(length / rowsPerSlice) }, (_, n) =>
        Math.min(rowsPerSlice, length - n * rowsPerSlice),
      );
      await mapLimited(slices, slicesAtOnce, slice);
    };
    await time.sleep(COLD_START_MS + 1_000 * Math.floor(index / STARTED_PER_SECOND));
    for (let length = chunks.pop(); length !== undefined; length = chunks.pop()) {
      const rowsOfBatch = length;
      const until = time.now + FUNCTION_MS;
      await withDeadline({ clock, until }, () => importBatch(rowsOfBatch));
    }
    left.workers -= 1;
  };
  const sleep = (milliseconds: number): Promise<void> => time.sleep(milliseconds);

  const lookups: number[] = [];
  const lookUp = async (): Promise<void> => {
    const since = time.now;
    await settle(uncontrolled.read, buckets.read, LOOKUP.items, KEYS_PER_CALL);
    lookups.push(time.now - since);
  };
  const lookUpBeside = async (): Promise<void> => {
    const pending: Promise<void>[] = [];
    while (left.workers > 0) {
      pending.push(lookUp());
      await time.sleep(LOOKUP.everyMs);
    }
    await Promise.all(pending);
  };

  let seconds = 0;
  const workAll = async (): Promise<void> => {
    await Promise.all(Array.from({ length: workers }, (_, index) => work(index)));
    seconds = time.now / 1_000;
  };
  await time.run([workAll, lookUpBeside]);
  const { write, read } = buckets;
  return {
    workers,
    seconds,
    /** The seconds that the table needs for the units of all rows. */
    leastSeconds: (rows * Math.max(writeUnitsPerRow, readUnitsPerRow)) / units,
    /** Units that the table throttled, for each unit that it served. */
    throttled: (write.throttled + read.throttled) / (write.served + read.served),
    /** Milliseconds of the lookups beside the import, in ascending order. */
    lookups: lookups.toSorted((a, b) => a - b),
  };
};

/** The time of `importBatch`. */
const FUNCTION_MS = 300_000;
