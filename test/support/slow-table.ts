import { readUnits, writeUnits } from '../../local/services/dynamodb/sizes.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { checkDeadline } from '../../shared/runtime/deadline.ts';
import { batchesOf, mapLimited } from '../../shared/runtime/pool.ts';
import type { Key } from '../../shared/table/keys.ts';
import type { StoredItem, Table, Write, WriteOutcome } from '../../shared/table/table.ts';
import type { Choose } from '../ingest/interleave.ts';
import type { MemoryTable } from './memory-table.ts';
import type { SideTime } from './side-time.ts';
import type { UnitMeter } from './unit-meter.ts';

/** Milliseconds of a call to DynamoDB. */
const LATENCY = { least: 4, most: 10 };

/** As `dynamoTable` sends them. */
const KEYS_PER_CALL = 100;
const STATEMENTS_PER_CALL = 25;
const CALLS_AT_ONCE = 4;
const ROUNDS = 12;

interface Surroundings {
  readonly time: SideTime;
  readonly choose: Choose;
  readonly meter: UnitMeter;
}

/** The billed size of values, near enough: the exact rules are in the embedded DynamoDB. */
export const bytesOf = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === 'number') return 1 + Math.ceil(String(value).length / 2);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, one]) => sum + Buffer.byteLength(name) + bytesOf(one), 0);
};

/** A nonce as long as the service's. */
const NONCE = '0123456789a';

const THROTTLED = Symbol('throttled');

/**
 * The table as a process of the service sees DynamoDB, in virtual time: each call takes 4 to 10 ms, each item costs its
 * units, and what a partition key has no units for is sent again after a pause. `inner` holds the items.
 */
export const slowTable = (inner: MemoryTable, { time, choose, meter }: Surroundings): Table => {
  const half = (): Promise<void> =>
    time.sleep((LATENCY.least + choose((LATENCY.most - LATENCY.least) * 100) / 100) / 2);

  /** One call about some items: each is served at the same moment, or throttled. */
  const call = async <Item, Answer>(
    items: readonly Item[],
    serve: (item: Item) => Promise<Answer | typeof THROTTLED>,
  ): Promise<(Answer | typeof THROTTLED)[]> => {
    checkDeadline();
    await half();
    const answers = [];
    for (const item of items) answers.push(await serve(item));
    await half();
    return answers;
  };

  /** Calls about any number of items, until each has its answer. */
  const settle = async <Item, Answer>(
    items: readonly Item[],
    perCall: number,
    serve: (item: Item) => Promise<Answer | typeof THROTTLED>,
  ): Promise<Answer[]> => {
    const answers: Answer[] = [];
    let left = items.map((item, index) => ({ item, index }));
    for (let round = 0; left.length > 0; round += 1) {
      if (round === ROUNDS) throw new UnavailableError(`table: ${left.length} items stayed throttled`);
      if (round > 0) await time.sleep(choose(Math.min(2_000, 25 * 2 ** round)));
      const again: typeof left = [];
      await mapLimited([...batchesOf(left, perCall)], CALLS_AT_ONCE, async (batch) => {
        const served = await call(batch, ({ item }) => serve(item));
        batch.forEach((one, at) => {
          const answer = served[at];
          if (answer === THROTTLED || answer === undefined) again.push(one);
          else answers[one.index] = answer;
        });
      });
      left = again;
    }
    return answers;
  };

  const readOne = async (key: Key) => {
    const item = await inner.get(key);
    return meter.read(key, readUnits(item ? bytesOf(item) : 0, true)) ? { item } : THROTTLED;
  };
  const writeOne = async (write: Write): Promise<WriteOutcome | typeof THROTTLED> => {
    const stored = await inner.get(write.key);
    const before = stored ? bytesOf(stored) : 0;
    const after = write.kind === 'delete' ? 0 : bytesOf({ ...stored, ...write.set, ...write.key, w: NONCE });
    const units = writeUnits(Math.max(before, after));
    if (!meter.write(write.key, units)) return THROTTLED;
    const outcome = await inner.write(write);
    if (outcome === 'refused') meter.refused(write.key, units);
    return outcome;
  };
  const getMany = async (keys: readonly Key[]): Promise<readonly (StoredItem | undefined)[]> => {
    const distinct = [...new Map(keys.map((key) => [`${key.pk}\n${key.sk}`, key])).values()];
    const answers = await settle(distinct, KEYS_PER_CALL, readOne);
    const found = new Map(distinct.map(({ pk, sk }, at) => [`${pk}\n${sk}`, answers[at]?.item]));
    return keys.map(({ pk, sk }) => found.get(`${pk}\n${sk}`));
  };
  const writeMany = (writes: readonly Write[]): Promise<readonly WriteOutcome[]> =>
    settle(writes, STATEMENTS_PER_CALL, writeOne);
  return {
    getMany,
    writeMany,
    get: async (key) => (await getMany([key]))[0],
    write: async (write) => (await writeMany([write]))[0] ?? 'refused',
    query: async (pk, range) => {
      const [page] = await settle([pk], 1, async () => {
        const found = await inner.query(pk, range);
        const bytes = found.items.reduce((sum, item) => sum + bytesOf(item), 0);
        return meter.read({ pk, sk: '' }, readUnits(bytes, true)) ? found : THROTTLED;
      });
      return page ?? { items: [] };
    },
    transact: () => Promise.reject(new Error('no transaction is played here')),
    put: async (key, set) => {
      await settle([key], 1, async () => {
        if (!meter.write(key, 1)) return THROTTLED;
        await inner.put(key, set);
        return true;
      });
    },
    increment: async (key, by, options) => {
      const [value] = await settle([key], 1, async () =>
        meter.write(key, 1) ? inner.increment(key, by, options) : THROTTLED,
      );
      return value ?? 0;
    },
  };
};
