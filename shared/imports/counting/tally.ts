/** Tally: the sums over up to 256 batches of a job, which tell the progress of the job without its batches. */
import * as v from 'valibot';
import type { Batch } from '../items/batch.ts';
import { allListCells, sumListCells } from '../items/row-findings.ts';

/** How slots are spread over items: `perItem` slots for each, and consecutive slots over `spread` items. */
export interface SlotSpread {
  readonly perItem: number;
  readonly spread: number;
}

/** Chunks of a file, batches of records and retries have slots of their own. */
const kinds = { rows: 'F', records: 'R', corrections: 'C' } as const satisfies Record<
  Batch['source']['kind'],
  string
>;

/** The name of the item of a batch in its job. */
export const slotName = (
  { perItem, spread }: SlotSpread,
  { slot, source }: Pick<Batch, 'slot' | 'source'>,
): string => {
  const number = Math.floor(slot / (perItem * spread)) * spread + (slot % spread);
  return `${kinds[source.kind]}${number.toString().padStart(8, '0')}`;
};

/** Operations on the sets of slots of one item. */
export const bitSet = ({ perItem, spread }: SlotSpread) => {
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
