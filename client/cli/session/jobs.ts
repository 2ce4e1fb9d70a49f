/** Remembers the import jobs that this machine started: `watch` and `retry` need no further ids then. */
import * as v from 'valibot';
import { readPrivate, writePrivate } from './store.ts';

const job = v.object({
  baseUrl: v.string(),
  property: v.number(),
  importId: v.number(),
  jobId: v.number(),
  /** Batches in the lists of refused rows that were written: a list names them, wherever it is moved. */
  batches: v.array(v.string()),
});
const jobs = v.array(job);

/** A job of an import, and the batches of its refused rows. */
export type KnownJob = v.InferOutput<typeof job>;

/** More jobs are forgotten, the oldest first. */
const MOST = 200;

/** The jobs in the file, the newest first. */
export const readJobs = (file: string): Promise<readonly KnownJob[]> => readPrivate(file, jobs, []);

/** The list with a new or changed job in front. */
export const withJob = (known: readonly KnownJob[], added: KnownJob): readonly KnownJob[] => [
  added,
  ...known.filter((other) => !isSame(other, added)).slice(0, MOST - 1),
];

const isSame = (one: KnownJob, other: KnownJob): boolean =>
  one.baseUrl === other.baseUrl && one.jobId === other.jobId;

/** Writes a new or changed job into the file. */
export const rememberJob = async (file: string, added: KnownJob): Promise<void> =>
  writePrivate(file, withJob(await readJobs(file), added));
