/**
 * Tally: the sums over up to 256 batches of a job, which tell the progress of the job without its batches, and the sums
 * of the reasons of refused and warned rows.
 */
import * as v from 'valibot';
import type { Batch } from '../items/batch.ts';
import { allListCells, sumListCells, addReasons, type Reason, reasonList } from '../items/row-findings.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { changeItem, type ChangeItemDeps } from '../../table/change-item.ts';
import { keys } from '../../table/keys.ts';
import type { Attributes, StoredItem, Table } from '../../table/table.ts';
import type { JobKey } from '../items/import-job.ts';

/** How slots are spread over items: `perItem` slots for each, and consecutive slots over `spread` items. */
interface SlotSpread {
  readonly perItem: number;
  readonly spread: number;
}

/** Chunks of a file, batches of records and retries have slots of their own. */
const kinds = { rows: 'F', records: 'R', corrections: 'C' } as const satisfies Record<
  Batch['source']['kind'],
  string
>;

/** The name of the item of a batch in its job. */
const slotName = (
  { perItem, spread }: SlotSpread,
  { slot, source }: Pick<Batch, 'slot' | 'source'>,
): string => {
  const number = Math.floor(slot / (perItem * spread)) * spread + (slot % spread);
  return `${kinds[source.kind]}${number.toString().padStart(8, '0')}`;
};

/** Operations on the sets of slots of one item. */
const bitSet = ({ perItem, spread }: SlotSpread) => {
  const bitOf = (slot: number): number => Math.floor(slot / spread) % perItem;
  const byteOf = (slot: number): number => bitOf(slot) >> 3;
  const maskOf = (slot: number): number => 1 << (bitOf(slot) & 7);
  return {
    schema: v.pipe(v.instance(Uint8Array), v.length(perItem / 8)),
    empty: (): Uint8Array<ArrayBuffer> => new Uint8Array(perItem / 8),
    has: (set: Uint8Array, slot: number): boolean => ((set[byteOf(slot)] ?? 0) & maskOf(slot)) !== 0,
    with: (set: Uint8Array, slot: number): Uint8Array<ArrayBuffer> => {
      const copy = Uint8Array.from(set);
      copy[byteOf(slot)] = (copy[byteOf(slot)] ?? 0) | maskOf(slot);
      return copy;
    },
  };
};

/** A tally counts 256 batches. Consecutive batches, which are written at the same time, are in different tallies. */
const slots = { perItem: 256, spread: 16 } as const;
const bits = bitSet(slots);

const whole = v.pipe(v.number(), v.safeInteger());

/** Schema of a tally item. */
export const tallyItem = v.object({
  /** One bit for each batch that is counted as added, as finished and as parked. They make each count idempotent. */
  added: bits.schema,
  finished: bits.schema,
  parked: bits.schema,
  /** Of all batches. A row that the client sent again is not ingested again, and no longer refused. */
  batches: whole,
  records: whole,
  ingested: whole,
  retriedUnserializable: whole,
  retriedFailed: whole,
  firstAccepted: whole,
  /** Of the batches with a result. */
  finishedBatches: whole,
  finishedRecords: whole,
  serialized: whole,
  unserializable: whole,
  completed: whole,
  failed: whole,
  /** When the newest batch got its result or was parked. */
  lastFinished: whole,
  lists: allListCells,
  /** Of the parked batches without a result. */
  parkedBatches: whole,
  parkedRecords: whole,
});

/** The sums over a group of batches. */
export type Tally = Readonly<v.InferOutput<typeof tallyItem>>;

/** A tally with its name in its job. */
export interface NamedTally extends Tally {
  readonly name: string;
}

/** The parts of a batch that its tally counts. */
export type CountedBatch = Pick<
  Batch,
  'slot' | 'source' | 'accepted' | 'records' | 'retry' | 'parked' | 'result'
>;

/** A tally without batches. */
export const emptyTally: Tally = {
  added: bits.empty(),
  finished: bits.empty(),
  parked: bits.empty(),
  batches: 0,
  records: 0,
  ingested: 0,
  retriedUnserializable: 0,
  retriedFailed: 0,
  firstAccepted: Number.MAX_SAFE_INTEGER,
  finishedBatches: 0,
  finishedRecords: 0,
  serialized: 0,
  unserializable: 0,
  completed: 0,
  failed: 0,
  lastFinished: 0,
  lists: [],
  parkedBatches: 0,
  parkedRecords: 0,
};

/** The name of the tally of a batch in its job. */
export const tallyNameOf = (batch: Pick<Batch, 'slot' | 'source'>): string => slotName(slots, batch);

/**
 * Counts a batch in the state in which it was read. A state that is counted already changes nothing, in whichever order
 * states arrive: a batch is added, may be parked, and gets one result.
 */
export const counted = (tally: Tally, batch: CountedBatch): Tally =>
  withResult(withParked(withBatch(tally, batch), batch), batch);

const withBatch = (tally: Tally, { slot, records, retry, accepted }: CountedBatch): Tally =>
  bits.has(tally.added, slot)
    ? tally
    : {
        ...tally,
        added: bits.with(tally.added, slot),
        batches: tally.batches + 1,
        records: tally.records + records,
        ingested: tally.ingested + (retry ? 0 : records),
        retriedUnserializable: tally.retriedUnserializable + (retry?.unserializable ?? 0),
        retriedFailed: tally.retriedFailed + (retry?.failed ?? 0),
        firstAccepted: Math.min(tally.firstAccepted, accepted),
      };

/** A batch counts as parked only until its result, and a batch with a result is never parked. */
const withParked = (tally: Tally, { slot, records, parked }: CountedBatch): Tally =>
  parked === null || bits.has(tally.parked, slot)
    ? tally
    : {
        ...tally,
        parked: bits.with(tally.parked, slot),
        parkedBatches: tally.parkedBatches + 1,
        parkedRecords: tally.parkedRecords + records,
        lastFinished: Math.max(tally.lastFinished, parked),
      };

const withResult = (tally: Tally, { slot, records, result }: CountedBatch): Tally => {
  if (!result || bits.has(tally.finished, slot)) return tally;
  const wasParked = Number(bits.has(tally.parked, slot));
  return {
    ...tally,
    finished: bits.with(tally.finished, slot),
    finishedBatches: tally.finishedBatches + 1,
    finishedRecords: tally.finishedRecords + records,
    serialized: tally.serialized + result.serialized,
    unserializable: tally.unserializable + result.unserializable,
    completed: tally.completed + result.completed,
    failed: tally.failed + result.failed,
    lastFinished: Math.max(tally.lastFinished, result.finished),
    lists: [...sumListCells(tally.lists, result.lists)],
    parkedBatches: tally.parkedBatches - wasParked,
    parkedRecords: tally.parkedRecords - wasParked * records,
  };
};

/** Whether the tallies of a job count the result of a batch. */
export const isCountedFinished = (
  tallies: readonly NamedTally[],
  batch: Pick<Batch, 'slot' | 'source'>,
): boolean => {
  const own = tallies.find(({ name }) => name === tallyNameOf(batch));
  return own !== undefined && bits.has(own.finished, batch.slot);
};

/** Number of items that are changed at once. */
const ITEMS_AT_ONCE = 8;

/** Reads and writes of the tallies of jobs. */
export const tallyItems = (deps: ChangeItemDeps & { readonly table: Table }) => ({
  /** All tallies of a job: one item for each 256 batches. */
  tallies: async (property: number, job: number): Promise<readonly NamedTally[]> =>
    (await deps.table.query(keys.tallies(property, job))).items.map((item) => ({
      ...tallyIn(item),
      name: item.sk,
    })),
  /** The sums of the reasons of a job: one item for each 8,192 batches. */
  reasonSums: async (property: number, job: number): Promise<readonly ReasonSums[]> =>
    (await deps.table.query(keys.reasonSums(property, job))).items.map(sumsIn),
  /** Counts batches in the state in which they were read. A state that is counted already changes nothing. */
  countBatches: async ({ property, id }: JobKey, batches: readonly CountedBatch[]): Promise<void> => {
    // Before the tallies: the repair takes a batch that its tally counts for one that is counted everywhere.
    await count(deps, Map.groupBy(batches.filter(hasReasons), reasonSumsName), {
      place: (name) => ({ key: keys.reasonSum(property, id, name), what: 'imports: the reasons of a job' }),
      read: sumsIn,
      add: withReasons,
    });
    await count(deps, Map.groupBy(batches, tallyNameOf), {
      place: (name) => ({ key: keys.tally(property, id, name), what: 'imports: a tally' }),
      read: tallyIn,
      add: counted,
    });
  },
  /** A new slot for a batch of records. A number that no batch uses does no harm. */
  nextSlot: async ({ property, id }: JobKey): Promise<number> =>
    (await deps.table.increment(keys.slots(property, id), 1)) - 1,
});

/** Reads and writes of the tallies of jobs. */
export type TallyItems = ReturnType<typeof tallyItems>;

/** How batches are added to the items of one kind. */
interface Counting<Item> {
  readonly place: (name: string) => Parameters<typeof changeItem>[1];
  readonly read: (item: StoredItem | undefined) => Item;
  readonly add: (item: Item, batch: CountedBatch) => Item;
}

/** Adds batches to the items of their names. */
const count = async <Item extends Attributes>(
  deps: ChangeItemDeps,
  groups: ReadonlyMap<string, readonly CountedBatch[]>,
  { place, read, add }: Counting<Item>,
): Promise<void> => {
  await mapLimited([...groups], ITEMS_AT_ONCE, ([name, group]) =>
    changeItem(deps, place(name), (item) => {
      const before = read(item);
      const after = group.reduce(add, before);
      return { result: undefined, ...(after === before ? {} : { set: after }) };
    }),
  );
};

const sumsIn = (item: StoredItem | undefined): ReasonSums =>
  item ? v.parse(reasonSumsItem, item) : noReasonSums;
const tallyIn = (item: StoredItem | undefined): Tally => (item ? v.parse(tallyItem, item) : emptyTally);

/** Fewer and larger items than the tallies: only batches with refused or warned rows write them. */
const sumSlots = { perItem: 8_192, spread: 4 } as const;
const summed = bitSet(sumSlots);

/** Schema of the item with the sums of a group of batches. */
const reasonSumsItem = v.object({
  /** One bit for each batch whose retried rows are subtracted, and whose result is added. */
  retried: summed.schema,
  finished: summed.schema,
  refusedBy: reasonList,
  warnedBy: reasonList,
});

/** The sums over a group of batches. */
export type ReasonSums = Readonly<v.InferOutput<typeof reasonSumsItem>>;

/** The parts of a batch that the sums depend on. */
export type ReasonedBatch = Pick<Batch, 'slot' | 'source' | 'retry' | 'result'>;

/** Sums without batches. */
export const noReasonSums: ReasonSums = {
  retried: summed.empty(),
  finished: summed.empty(),
  refusedBy: [],
  warnedBy: [],
};

/** The name of the sums of a batch in its job. */
export const reasonSumsName = (batch: Pick<Batch, 'slot' | 'source'>): string => slotName(sumSlots, batch);

/** Whether a batch changes any sums. Most batches do not. */
const hasReasons = ({ retry, result }: ReasonedBatch): boolean =>
  [retry?.refusedBy, result?.refusedBy, result?.warnedBy].some((reasons) => (reasons?.length ?? 0) > 0);

/** Adds a batch in the state in which it was read. A state that was added already changes nothing. */
export const withReasons = (sums: ReasonSums, { slot, retry, result }: ReasonedBatch): ReasonSums => {
  let after = sums;
  if (retry && !summed.has(after.retried, slot)) {
    after = {
      ...after,
      retried: summed.with(after.retried, slot),
      refusedBy: [...addReasons(after.refusedBy, retry.refusedBy)],
    };
  }
  if (result && !summed.has(after.finished, slot)) {
    after = {
      ...after,
      finished: summed.with(after.finished, slot),
      refusedBy: [...addReasons(after.refusedBy, result.refusedBy)],
      warnedBy: [...addReasons(after.warnedBy, result.warnedBy)],
    };
  }
  return after;
};

/** The reasons of a job, from all its sums. */
export const reasonsOfJob = (
  all: readonly ReasonSums[],
): { readonly refusedBy: readonly Reason[]; readonly warnedBy: readonly Reason[] } => ({
  refusedBy: all.map(({ refusedBy }) => refusedBy).reduce<readonly Reason[]>(addReasons, []),
  warnedBy: all.map(({ warnedBy }) => warnedBy).reduce<readonly Reason[]>(addReasons, []),
});
