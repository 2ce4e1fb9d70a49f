/** Import job: one import of a file or of a series of batches, as stored. */
import * as v from 'valibot';
import { delimiterNames, encodings } from '../../csv/dialect.ts';
import { encodingEvidence } from '../../csv/encoding-evidence.ts';
import type { ImportFailureCode } from '../../http/row-codes.ts';
import { undoCounts } from '../../ingest/undo-counts.ts';
import { tiers } from '../../profiles/types.ts';
import { jobStatuses } from './job-status.ts';
import { allListCells } from './row-findings.ts';

/**
 * Phases of the state machine of a job. `transitions.ts` lists the transitions. The API's status of a job is derived
 * from the phase and from the results of the batches.
 *
 * | phase     | meaning                                                          |
 * |-----------|------------------------------------------------------------------|
 * | open      | the job accepts batches of records, without an end               |
 * | awaiting  | the file has not arrived                                         |
 * | started   | the file is there, and its workflow runs                         |
 * | readable  | header and columns match the definition                          |
 * | split     | all rows are in batches                                          |
 * | reopened  | all rows are in batches, and the client has retried refused rows |
 * | failed    | `failure` has the reason; batches that exist are still imported  |
 * | cancelled | batches that no worker had begun are not imported                |
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
  /** The cells of the list columns of the file. */
  lists: allListCells,
});

/** Progress of a job as the API shows it; times in epoch milliseconds. */
export type Progress = Readonly<v.InferOutput<typeof progress>>;

const storedObject = v.object({
  bucket: v.picklist(['uploads', 'work']),
  key: v.string(),
  etag: v.string(),
  size: whole,
  /** The checksum that S3 stores with an object from SFTP; `null` for other objects, which nobody can replace. */
  checksum: v.nullable(v.string()),
});

/** One version of an object. */
export type StoredObject = Readonly<v.InferOutput<typeof storedObject>>;

const pendingUpload = v.object({
  size: whole,
  /** The id of the multipart upload and the size of every part except the last; `null` for an upload in one request. */
  parts: v.nullable(v.object({ upload: v.string(), bytes: whole })),
});

/** The upload that a job waits for. */
export type PendingUpload = Readonly<v.InferOutput<typeof pendingUpload>>;

const layout = v.object({
  dialect: v.object({
    encoding: v.picklist(encodings),
    delimiter: v.picklist(delimiterNames),
    newline: v.picklist(['lf', 'cr']),
    trim: v.boolean(),
  }),
  /** The text of the header row. */
  header: v.string(),
  columns: whole,
  /** For each field map of the definition, the indexes of its source columns. */
  picks: v.array(v.array(whole)),
  /** Where the first data row starts. */
  offset: whole,
  line: whole,
});

/** The dialect and the columns of a file, read from its header. */
export type Layout = Readonly<v.InferOutput<typeof layout>>;

const splitCursor = v.object({ offset: whole, line: whole, rows: whole, chunks: whole });

/** Split cursor: the place of the next row to put into a chunk, and the numbers of rows and chunks before it. */
export type SplitCursor = Readonly<v.InferOutput<typeof splitCursor>>;

const failure = v.object({
  code: v.string(),
  message: v.string(),
  field: v.nullable(v.string()),
  row: v.nullable(whole),
  line: v.nullable(whole),
});

/** Why a file cannot be read, or not to its end. The client sees the message. `field` names a column of the definition. */
export interface FileFailure extends Readonly<v.InferOutput<typeof failure>> {
  readonly code: ImportFailureCode;
}

const undo = v.object({
  /** When the client asked for it. From now on the job takes no rows. */
  started: whole,
  /** When its turn came: the undos of a property run one after the other. From now on no value of the job is stored. */
  begun: v.nullable(whole),
  /** Key of the list of the objects of its undo log, made once after the begin: all runs of the undo read the same log. */
  log: v.nullable(v.string()),
  /** The lowest ordinal whose person is still to be processed; `null` once nobody is left. */
  next: v.nullable(whole),
  /** When the last person was processed. The undo finishes once the index shows everybody. */
  passed: v.nullable(whole),
  /** The last emptied segment that was looked at, 0 before the first; `null` once all of them were. */
  looked: v.nullable(whole),
  finished: v.nullable(whole),
  /** Value segments that the undo left without members, and removed. */
  segments: v.object({ removed: whole }),
  ...undoCounts.entries,
});

/** The undo of a job, with the counts of the people who are processed. */
export type Undo = Readonly<v.InferOutput<typeof undo>>;

/** Schema of a job item. */
export const jobItem = v.object({
  w: v.string(),
  id: whole,
  property: whole,
  /** Id of the definition. */
  import: whole,
  /** Revision of the definition at the creation of the job. Later revisions do not change the job. */
  revision: whole,
  name: v.string(),
  created: whole,
  /** Whether the job stores no profile and only tells what it would do. */
  dryRun: v.boolean(),
  phase: v.picklist(jobPhases),
  /** When the file arrived, by the clock of S3 or of the SFTP server. All rows of the file count as accepted then. */
  arrived: v.nullable(whole),
  /** When the workflow of the file was started. */
  started: v.nullable(whole),
  /** When the job failed or was cancelled, or when all rows of the file were in batches. */
  ended: v.nullable(whole),
  file: v.nullable(
    v.object({ name: v.string(), object: v.nullable(storedObject), awaited: v.exactOptional(pendingUpload) }),
  ),
  /** The uncompressed file: the upload itself, or its expansion. */
  source: v.nullable(storedObject),
  /** How far the inspection has read a file of unknown encoding, and what it found; `null` otherwise. */
  proof: v.nullable(encodingEvidence),
  layout: v.nullable(layout),
  /** What the inspection of the file remarked about its text. The client sees the messages. */
  remarks: v.array(
    v.object({ code: v.picklist(['uncertain_encoding', 'decoded_twice']), message: v.string() }),
  ),
  /** Trust of the rows of the file that state none themselves. The inspection of the file sets it. */
  tier: v.nullable(v.picklist(Object.values(tiers))),
  splitCursor: v.nullable(splitCursor),
  failure: v.nullable(failure),
  /** The last row of the file, if no line break ends it. */
  unterminated: v.nullable(v.object({ row: whole, line: whole })),
  /** UUIDs of the batches of a cancelled job that workers had begun and will finish; `null` until they are determined. */
  finishing: v.nullable(v.array(v.string())),
  /** Of release 0.2.0, whose functions expect it: when the job was last put on its list of watched jobs. */
  watched: v.nullable(whole),
  /** When everything about the end of the job was delivered or given up. Jobs without a file announce nothing. */
  announced: v.nullable(whole),
  /** The key of the result of a dry run in the work bucket, and the number of batches that it adds up. */
  dryRunResult: v.nullable(v.object({ key: v.string(), results: whole })),
  /** The final progress, stored once the effects of its `batches` were visible in every index. */
  final: v.nullable(v.object({ batches: whole, progress })),
  undo: v.nullable(undo),
});

/** An import job as stored. */
export type ImportJob = Readonly<v.InferOutput<typeof jobItem>>;

/** The job in an item. */
export const parseJob = (item: unknown): ImportJob => v.parse(jobItem, item);

/** What names a job. */
export type JobKey = Pick<ImportJob, 'property' | 'id'>;
