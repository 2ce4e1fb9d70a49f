import * as v from 'valibot';
import { delimiterNames, encodings } from '../../csv/dialect.ts';
import { tiers } from '../../profiles/types.ts';
import { jobStatuses } from './status.ts';

/**
 * Where a job stands by what was done to it; its status adds what became of its batches. What leads from one to the next
 * is in `transitions.ts`.
 *
 * | phase     | meaning                                                        |
 * |-----------|----------------------------------------------------------------|
 * | open      | takes batches of records for ever                              |
 * | awaiting  | its file has not arrived                                       |
 * | started   | its file is there and its workflow runs                        |
 * | readable  | header and columns are as the definition wants them            |
 * | split     | all rows are in batches                                        |
 * | reopened  | the same, and refused rows of it were sent again               |
 * | failed    | `failure` says why; batches cut before still land              |
 * | cancelled | batches that nobody had begun by then are not worked off       |
 */
export const jobPhases = [
  'open',
  'awaiting',
  'started',
  'readable',
  'split',
  'reopened',
  'failed',
  'cancelled',
] as const;
export type JobPhase = (typeof jobPhases)[number];

const whole = v.pipe(v.number(), v.safeInteger());
/** Trust of records that name none themselves. What was stored before there were grants has the definition's. */
const tier = v.exactOptional(v.picklist(Object.values(tiers)));
const counts = {
  ingested: whole,
  serialized: whole,
  unserializable: whole,
  processing: whole,
  completed: whole,
  failed: whole,
};

/** Numbers of records of a job or batch. */
export type Counts = Readonly<Record<keyof typeof counts, number>>;

const progress = v.object({
  ...counts,
  status: v.picklist(jobStatuses),
  started: v.nullable(whole),
  finished: v.nullable(whole),
});
/** How far a job is, as its reads show it; times in epoch milliseconds. */
export type Progress = Readonly<v.InferOutput<typeof progress>>;

const storedObject = v.object({
  bucket: v.picklist(['uploads', 'work']),
  key: v.string(),
  etag: v.string(),
  size: whole,
});
/** One version of an object. */
export type StoredObject = Readonly<v.InferOutput<typeof storedObject>>;

const awaited = v.object({
  size: whole,
  /** Its id at S3, and the size of every part but the last; `null` when it comes as a whole. */
  parts: v.nullable(v.object({ upload: v.string(), bytes: whole })),
});
/** The upload that a job was made for. */
export type PendingUpload = Readonly<v.InferOutput<typeof awaited>>;

const layout = v.object({
  dialect: v.object({
    encoding: v.picklist(encodings),
    delimiter: v.picklist(delimiterNames),
    newline: v.picklist(['lf', 'cr']),
  }),
  /** The header as it stands in the file. */
  header: v.string(),
  columns: whole,
  /** For each field map of the definition the indexes of its source columns. */
  picks: v.array(v.array(whole)),
  /** Where the first data row starts. */
  offset: whole,
  line: whole,
});
/** What the header of a file says about its rows. */
export type Layout = Readonly<v.InferOutput<typeof layout>>;

const splitCursor = v.object({ offset: whole, line: whole, rows: whole, chunks: whole });
/** How far a file has been cut: the place of the next row, and how many rows and chunks lie before it. */
export type SplitCursor = Readonly<v.InferOutput<typeof splitCursor>>;

const failure = v.object({
  code: v.string(),
  message: v.string(),
  field: v.nullable(v.string()),
  row: v.nullable(whole),
  line: v.nullable(whole),
});
/** Why a file could not be read (further), in words that may be shown; `field` names a column of the definition. */
export type FileFailure = Readonly<v.InferOutput<typeof failure>>;

const job = v.object({
  w: v.string(),
  id: whole,
  property: whole,
  /** Id of the definition. */
  import: whole,
  /** Of the definition when the job was made: what it is worked off by, whatever became of the definition since. */
  revision: v.optional(whole, 0),
  name: v.string(),
  created: whole,
  phase: v.picklist(jobPhases),
  /** When its file had arrived, by the clock of S3 or of the SFTP server: the acceptance of all its rows. */
  arrived: v.nullable(whole),
  /** When its workflow was started. */
  started: v.nullable(whole),
  /** When it failed, or when its file had been cut up. */
  ended: v.nullable(whole),
  file: v.nullable(
    v.object({ name: v.string(), object: v.nullable(storedObject), awaited: v.exactOptional(awaited) }),
  ),
  /** The plain file: the upload itself, or what it was expanded to. */
  source: v.nullable(storedObject),
  layout: v.nullable(layout),
  /** Of the rows of its file, fixed when the file is looked at. */
  tier,
  splitCursor: v.nullable(splitCursor),
  failure: v.nullable(failure),
  /** The last row of its file, when no line break ends it. */
  unterminated: v.nullable(v.object({ row: whole, line: whole })),
  /**
   * UUIDs of the batches that workers had begun when it was cancelled: these are finished, and no others. `null` until that
   * is fixed.
   */
  finishing: v.nullable(v.array(v.string())),
  /** When it was last put among the watched jobs. */
  watched: v.optional(v.nullable(whole), null),
  /** Kept once everything its `batches` stored was visible. */
  final: v.nullable(v.object({ batches: whole, progress })),
});
/** An import job as stored. */
export type ImportJob = Readonly<v.InferOutput<typeof job>>;

const retry = v.object({
  /** The request that made it. */
  requestKey: v.string(),
  /** How many of its rows counted as what until then. */
  unserializable: whole,
  failed: whole,
  /** Batches, and the rows of each that it takes the place of. */
  rows: v.array(v.object({ batch: v.string(), rows: v.string() })),
});
/** What a batch of corrected rows takes the place of: each row counts once, where it was sent last. */
export type Retry = Readonly<v.InferOutput<typeof retry>>;

const batch = v.object({
  w: v.string(),
  uuid: v.string(),
  name: v.string(),
  accepted: whole,
  records: whole,
  skipAppends: v.boolean(),
  tier,
  /** When a worker first took it; only a batch that none has taken can be cancelled. */
  begun: v.optional(v.nullable(whole), null),
  /** Whether more than one worker has begun it. */
  repeated: v.optional(v.boolean(), false),
  /** When it was given up for now: its message waits among the dead letters. A redrive gives it its result all the same. */
  parked: v.optional(v.nullable(whole), null),
  /** When the repair last queued it again. */
  requeued: v.optional(v.nullable(whole), null),
  source: v.variant('kind', [
    /** An object of the work bucket with a JSON array of records. */
    v.object({ kind: v.literal('records'), key: v.string() }),
    /** Bytes of the job's file: from the row `row` on line `line`, up to and without `end`. */
    v.object({
      kind: v.literal('rows'),
      start: whole,
      end: whole,
      row: whole,
      line: whole,
      /** The one row in it is larger than a worker reads. */
      tooLarge: v.boolean(),
    }),
    /** A sealed object of the work bucket with refused rows that were sent again. */
    v.object({ kind: v.literal('corrections'), key: v.string() }),
  ]),
  retry: v.optional(v.nullable(retry), null),
  result: v.nullable(
    v.object({
      serialized: whole,
      unserializable: whole,
      completed: whole,
      failed: whole,
      /** Object of the work bucket with the refused rows, if any. */
      errors: v.nullable(v.string()),
      /** The same of the warned rows; batches of before there were such reports have none. */
      warnings: v.optional(v.nullable(v.string()), null),
      finished: whole,
    }),
  ),
});
/** A batch of records or a chunk of a file's rows: accepted, and later its result. */
export type Batch = Readonly<v.InferOutput<typeof batch>>;
export type BatchResult = Readonly<NonNullable<Batch['result']>>;

export const parseJob = (item: unknown): ImportJob => v.parse(job, item);
export const parseBatch = (item: unknown): Batch => v.parse(batch, item);
