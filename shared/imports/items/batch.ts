/** Batch: a group of rows of a job that one worker imports, as stored. */
import * as v from 'valibot';
import { tiers } from '../../profiles/types.ts';
import { allListCells, reasonList } from './row-findings.ts';
import { sha256 } from '../../runtime/hash.ts';

const whole = v.pipe(v.number(), v.safeInteger());

const retry = v.object({
  /** Idempotency key of the request that sent the rows again. */
  requestKey: v.string(),
  /** Numbers of its rows that counted as unserializable and as failed before the retry. */
  unserializable: whole,
  failed: whole,
  /** The earlier batches, and the ranges of their rows that this batch replaces. */
  rows: v.array(v.object({ batch: v.string(), rows: v.string() })),
  /** How the reasons of the earlier batches change, because its rows no longer count there. */
  refusedBy: reasonList,
});

/** The rows that a batch of corrected rows replaces. A row counts once: in the last batch that contains it. */
export type Retry = Readonly<v.InferOutput<typeof retry>>;

const result = v.object({
  serialized: whole,
  unserializable: whole,
  completed: whole,
  failed: whole,
  /** Key of the report of refused rows in the work bucket; `null` if there are none. */
  errors: v.nullable(v.string()),
  /** Key of the report of warned rows in the work bucket; `null` if there are none. */
  warnings: v.nullable(v.string()),
  /** The reasons of the refused and of the warned rows. */
  refusedBy: reasonList,
  warnedBy: reasonList,
  /** The cells of the list columns of a file. */
  lists: allListCells,
  /** Only for a dry run: key of what it found, in the work bucket. */
  rehearsal: v.exactOptional(v.string()),
  finished: whole,
});

/** The outcome of a batch. It is written once. */
export type BatchResult = Readonly<v.InferOutput<typeof result>>;

/** Schema of a batch item. */
export const batchItem = v.object({
  w: v.string(),
  uuid: v.string(),
  /** The number of the batch among those of its kind in the job: the place of its bits in the tallies. */
  slot: whole,
  name: v.string(),
  accepted: whole,
  records: whole,
  skipAppends: v.boolean(),
  /** Trust of the records that state none themselves. */
  tier: v.picklist(Object.values(tiers)),
  /** When a worker last began the batch. A cancellation stops only batches that no worker has begun. */
  begun: v.nullable(whole),
  /** Whether more than one worker has begun the batch. */
  repeated: v.boolean(),
  /**
   * Whether the guards of the definition let the batch pass. A batch that they judge is stored only after this mark, and
   * refused only without it.
   */
  admitted: v.boolean(),
  /** When the batch was parked: its message is in the dead-letter queue. A redrive can still bring the result. */
  parked: v.nullable(whole),
  /** When the repair last queued the batch again. */
  requeued: v.nullable(whole),
  source: v.variant('kind', [
    /** An object of the work bucket with a JSON array of records. */
    v.object({ kind: v.literal('records'), key: v.string() }),
    /** Bytes of the job's file: from row `row` on line `line` up to, but not including, `end`. */
    v.object({
      kind: v.literal('rows'),
      start: whole,
      end: whole,
      row: whole,
      line: whole,
      /** The batch is a single row that is larger than a worker reads. */
      tooLarge: v.boolean(),
    }),
    /** A sealed object of the work bucket with refused rows that the client corrected. */
    v.object({ kind: v.literal('corrections'), key: v.string() }),
  ]),
  retry: v.nullable(retry),
  result: v.nullable(result),
});

/** A batch of records, or a chunk of a file: first accepted, later with its result. */
export type Batch = Readonly<v.InferOutput<typeof batchItem>>;

/** Whether a batch is parked: no worker imports it, and only a redrive will bring its result. */
export const isBatchParked = (batch: Pick<Batch, 'result' | 'parked'>): boolean =>
  batch.result === null && batch.parked !== null;

/**
 * The UUID (version 8) of the `index`-th chunk of the file of a job. It is the same each time the file is split, and
 * the UUIDs sort in the order of the file.
 */
export const chunkUuid = (job: number, index: number): string => numberedUuid('chunk', job, index);

/**
 * The UUID of the `index`-th batch of corrected rows of a job. Two concurrent requests get the same UUID, and one
 * insert wins.
 */
export const retryUuid = (job: number, index: number): string => numberedUuid('retry', job, index);

const numberedUuid = (kind: 'chunk' | 'retry', job: number, index: number): string => {
  const hash = sha256(`tidemark/${kind}/1\n${job}\n${index}`);
  const parts = [hash.slice(0, 4), `8${hash.slice(4, 7)}`, `8${hash.slice(7, 10)}`, hash.slice(10, 22)];
  return [index.toString(16).padStart(8, '0'), ...parts].join('-');
};
