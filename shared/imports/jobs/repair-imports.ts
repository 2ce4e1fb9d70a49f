import { limits } from '../../config/limits.ts';
import type { Queue } from '../../runtime/ports.ts';
import { Failures } from '../../runtime/failures.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { failFile, internalFailure } from './fail-import.ts';
import { batchMessageOf } from '../model/job-messages.ts';
import type { ChangeDeps } from '../model/change-job.ts';
import type { ImportJob, JobPhase } from '../model/import-job.ts';
import type { Batch } from '../model/batch.ts';
import { isBatchCancelled } from './cancellation.ts';
import type { BatchUpdate } from '../model/job-items.ts';
import type { WatchedJob, WatchedJobs } from '../model/watched-jobs.ts';

export interface RepairDeps extends ChangeDeps {
  readonly watched: WatchedJobs;
  readonly batches: Queue;
  readonly clock: () => number;
  /** From 0 up to and without 1. */
  readonly random: () => number;
}

/** Batches of a job that are written at once. */
const NOTES_AT_ONCE = 8;

/** What is to be done about a batch without a result. */
type Repair = 'requeue' | 'park';

/**
 * Looks after batches that were accepted and came to nothing. One that nobody has begun for long may never have been
 * queued, because whoever accepted it died in between: it is queued again, which does no harm if it was. One that was
 * begun long ago has used up all deliveries, the last one without a word: it is parked. A file
 * that is still being read when no execution can be under way any more has failed. Returns how many were mended.
 *
 * When the repair of a job fails, the others are looked after all the same, and the first failure is thrown at the end. A call
 * begins at any job, so that no job is always among those for which there is no time left (`mayGoOn` says no).
 */
export const repairImports = async (deps: RepairDeps, mayGoOn: () => boolean): Promise<number> => {
  const failures = new Failures();
  const jobs = await deps.watched.all();
  const first = Math.floor(deps.random() * jobs.length);
  let mended = 0;
  for (const watched of [...jobs.slice(first), ...jobs.slice(0, first)]) {
    if (!mayGoOn()) break;
    mended += (await failures.attempt(() => repairJob(deps, watched))) ?? 0;
  }
  failures.throwFirst();
  return mended;
};

/** No execution lives as long as this: a file that is still being read then was left by it. */
const LONGEST_MS = (limits.workflows.timeoutSeconds + limits.imports.splitSeconds) * 1000;

const wasLeft = ({ phase, started }: ImportJob, now: number): boolean =>
  (phase === 'started' || phase === 'readable') && started !== null && now - started > LONGEST_MS;

const repairJob = async (deps: RepairDeps, watched: WatchedJob): Promise<number> => {
  const { property, job: id, since } = watched;
  const now = deps.clock();
  const job = await deps.imports.job(property, id);
  const left = job !== undefined && wasLeft(job, now);
  if (left) await failFile(deps, { property, job: id }, internalFailure);
  const batches = job ? await deps.imports.batches(property, id) : [];
  const waiting = batches.filter(
    (batch) => !batch.result && batch.parked === null && !(job && isBatchCancelled(job, batch)),
  );
  const lost = waiting.filter((batch) => repairOf(batch, now) === 'requeue');
  const stuck = waiting.filter((batch) => repairOf(batch, now) === 'park');
  await deps.batches.send(lost.map(({ uuid }) => batchMessageOf(property, id, uuid)));
  // Losing to a worker: it has got further with the batch.
  const note = (seen: Batch, made: BatchUpdate) => deps.imports.updateBatch({ property, id }, seen, made);
  await mapLimited(lost, NOTES_AT_ONCE, (batch) => note(batch, { requeued: now }));
  await mapLimited(stuck, NOTES_AT_ONCE, (batch) => note(batch, { parked: now }));
  const quiet = now - since > 2 * limits.imports.watchHours * 3_600_000;
  if (waiting.length === 0 && quiet && !(job && mayGrow(job))) await deps.watched.unwatch(watched);
  return lost.length + stuck.length + Number(left);
};

/** What a batch without a result needs, if anything yet. */
const repairOf = (
  { accepted, begun, requeued }: Pick<Batch, 'accepted' | 'begun' | 'requeued'>,
  now: number,
): Repair | undefined => {
  const { requeueSeconds, parkSeconds } = limits.imports;
  if (begun !== null) return now - begun > parkSeconds * 1000 ? 'park' : undefined;
  return now - (requeued ?? accepted) > requeueSeconds * 1000 ? 'requeue' : undefined;
};

/** Jobs of files that are still to be cut up, or being cut. */
const growing: ReadonlySet<JobPhase> = new Set(['awaiting', 'started', 'readable']);
const mayGrow = ({ phase }: ImportJob): boolean => growing.has(phase);
