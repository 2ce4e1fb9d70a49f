/** `repairImports`: repairs batches and files that a crash left behind, on a schedule. */
import { limits } from '../../config/limits.ts';
import type { Queue, Workflow } from '../../runtime/ports.ts';
import { startUndo } from './start-undo.ts';
import { HOUR_MS, type Clock } from '../../runtime/clock.ts';
import { Failures } from '../../runtime/failures.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { failFile, internalFailure } from './fail-import.ts';
import { batchMessageOf } from '../items/job-messages.ts';
import type { ChangeDeps } from '../repository/change-job.ts';
import type { ImportJob, JobPhase } from '../items/import-job.ts';
import type { Batch } from '../items/batch.ts';
import { isBatchDropped } from './cancellation.ts';
import { isAnnouncementOverdue, owesAnnouncement } from './overdue-announcement.ts';
import type { BatchUpdate } from '../repository/job-items.ts';
import type { WatchedJob, WatchedJobs } from '../repository/watched-jobs.ts';

export interface RepairDeps extends ChangeDeps {
  readonly watched: WatchedJobs;
  readonly batches: Queue;
  readonly undos: Workflow;
  readonly workflow: Workflow;
  readonly clock: Clock;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** Number of batches of a job that are written at once. */
const WRITES_AT_ONCE = 8;

/** The repair of a batch without a result. */
type Repair = 'requeue' | 'park';

/**
 * Repairs batches and files that a crash left behind; returns the number of repairs.
 *
 * - No worker has begun a batch for long: the function that accepted it may have crashed before it queued the message.
 *   The repair queues the batch again, which does no harm if the first message exists.
 * - A worker began a batch long ago: the message has used up its deliveries, and the last worker crashed before it
 *   could park the batch. The repair parks it.
 * - A batch is not counted: its writer may have crashed before it could count the batch. The repair counts it.
 * - The end of a job of a file is not announced, or not once more as a client asked, and its workflow is gone: the repair
 *   starts the workflow again. Every step that is done already does nothing, and the last step announces.
 * - A file is still being read when no execution of its workflow can be running: its job has failed.
 * - An undo is not finished: the request that began it may have died before it started the workflow, or the execution
 *   ended too early. The repair starts the workflow, which does nothing while an execution runs.
 *
 * If the repair of one job fails, the function repairs the other jobs and then throws the first failure. It starts at a
 * random job, so that no job always falls among the jobs for which no time is left (`mayGoOn` returns false).
 */
export const repairImports = async (deps: RepairDeps, mayGoOn: () => boolean): Promise<number> => {
  const failures = new Failures();
  const jobs = await deps.watched.all();
  const first = Math.floor(deps.random() * jobs.length);
  let repairs = 0;
  for (const watched of [...jobs.slice(first), ...jobs.slice(0, first)]) {
    if (!mayGoOn()) break;
    repairs += (await failures.attempt(() => repairJob(deps, watched))) ?? 0;
  }
  failures.throwFirst();
  return repairs;
};

/** No execution of a workflow runs this long. A file that is still being read after this time was abandoned. */
const LONGEST_MS = (limits.workflows.timeoutSeconds + limits.imports.splitSeconds) * 1000;

const isAbandoned = ({ phase, started }: ImportJob, now: number): boolean =>
  (phase === 'started' || phase === 'readable') && started !== null && now - started > LONGEST_MS;

const repairJob = async (deps: RepairDeps, watched: WatchedJob): Promise<number> => {
  const { property, job: id, since } = watched;
  const now = deps.clock();
  const job = await deps.imports.job(property, id);
  const abandoned = job !== undefined && isAbandoned(job, now);
  if (abandoned) await failFile(deps, { property, job: id }, internalFailure);
  const isUndoing = job?.undo?.finished === null;
  if (isUndoing) await startUndo(deps.undos, job, now);
  const batches = job ? await deps.imports.batches(property, id) : [];
  await deps.imports.countBatches({ property, id }, batches);
  const waiting = batches.filter(
    (batch) => !batch.result && batch.parked === null && !(job && isBatchDropped(job, batch)),
  );
  const lost = waiting.filter((batch) => repairOf(batch, now) === 'requeue');
  const stuck = waiting.filter((batch) => repairOf(batch, now) === 'park');
  await deps.batches.send(lost.map(({ uuid }) => batchMessageOf(property, id, uuid)));
  // The write loses to a worker that has made progress with the batch.
  const update = (seen: Batch, marks: BatchUpdate) => deps.imports.updateBatch({ property, id }, seen, marks);
  await mapLimited(lost, WRITES_AT_ONCE, (batch) => update(batch, { requeued: now }));
  await mapLimited(stuck, WRITES_AT_ONCE, (batch) => update(batch, { parked: now }));
  const deliveries = job?.file ? await deps.imports.importDeliveries(job) : [];
  // The announcement waits for the batches, so an execution would only poll.
  const mayAnnounce = job !== undefined && waiting.length === 0;
  const announces = mayAnnounce && isAnnouncementOverdue(job, deliveries, { since, now });
  if (announces) await announceAgain(deps, job, now);
  const quiet = now - since > 2 * limits.imports.watchHours * HOUR_MS;
  if (
    waiting.length === 0 &&
    quiet &&
    !isUndoing &&
    !(job && (mayGrow(job) || owesAnnouncement(job, deliveries)))
  )
    await deps.watched.unwatch(watched);
  return lost.length + stuck.length + Number(abandoned) + Number(announces);
};

/** Starts another execution of the workflow of a job, at most once in the time after which it would be overdue again. */
const announceAgain = async ({ workflow }: RepairDeps, job: ImportJob, now: number): Promise<void> => {
  const { property, import: importId, id } = job;
  const period = Math.floor(now / (limits.imports.announceSeconds * 1000));
  await workflow.start(`p${property}-import-${id}-again-${period}`, { property, import: importId, job: id });
};

/** The repair that a batch without a result needs, if any. */
const repairOf = (
  { accepted, begun, requeued }: Pick<Batch, 'accepted' | 'begun' | 'requeued'>,
  now: number,
): Repair | undefined => {
  const { requeueSeconds, parkSeconds } = limits.imports;
  if (begun !== null) return now - begun > parkSeconds * 1000 ? 'park' : undefined;
  return now - (requeued ?? accepted) > requeueSeconds * 1000 ? 'requeue' : undefined;
};

/** Phases in which rows of the file are not yet in batches. */
const growing: ReadonlySet<JobPhase> = new Set(['awaiting', 'started', 'readable']);
const mayGrow = ({ phase }: ImportJob): boolean => growing.has(phase);
