/** Import tasks: the looks at jobs whose batches, files, announcements or undos a crash may have left behind. */
import { limits } from '../../config/limits.ts';
import type { Queue, Workflow } from '../../runtime/ports.ts';
import { startUndo } from './start-undo.ts';
import type { Clock } from '../../runtime/clock.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { failFile, internalFailure } from './fail-import.ts';
import { batchMessageOf } from '../items/job-messages.ts';
import type { ChangeDeps } from '../repository/change-job.ts';
import type { ImportJob, JobPhase } from '../items/import-job.ts';
import type { Batch } from '../items/batch.ts';
import { isBatchDropped } from './cancellation.ts';
import { isAnnouncementOverdue, OVERDUE_MS, owesAnnouncement } from './overdue-announcement.ts';
import type { BatchUpdate } from '../repository/stored-items.ts';
import type { TaskKind } from '../../tasks/reconcile.ts';
import type { NewTask, Task } from '../../tasks/tasks.ts';

export interface RepairDeps extends ChangeDeps {
  readonly batches: Queue;
  readonly undos: Workflow;
  readonly workflow: Workflow;
  readonly clock: Clock;
}

/** Number of batches of a job that are written at once. */
const WRITES_AT_ONCE = 8;

/** The repair of a batch without a result. */
type Repair = 'requeue' | 'park';

/** The task of a job. Whoever adds it gets an hour for its work, which is also the time after which an end has lost its workflow. */
export const jobTask = (property: number, job: number, now: number): NewTask => ({
  kind: 'import-job',
  property,
  ids: [job],
  due: now + limits.imports.pauseSeconds * 1_000,
  until: now + OVERDUE_MS,
});

/**
 * The tasks of import jobs. A look finishes what a crash left behind:
 *
 * - No worker has begun a batch for long: the function that accepted it may have crashed before it queued the message.
 *   The look queues the batch again, which does no harm if the first message exists.
 * - A worker began a batch long ago: the message has used up its deliveries, and the last worker crashed before it
 *   could park the batch. The look parks it.
 * - A batch is not counted: its writer may have crashed before it could count the batch. The look counts it.
 * - The end of a job of a file is not announced, or not once more as a client asked, and its workflow is gone: the look
 *   starts the workflow again. Every step that is done already does nothing, and the last step announces.
 * - A file is still being read when no execution of its workflow can be running: its job has failed.
 * - An undo is not finished: the request that began it may have died before it started the workflow, or the execution
 *   ended too early. The look starts the workflow, which does nothing while an execution runs.
 */
export const importTasks = (deps: RepairDeps) =>
  ({
    'import-job': {
      pauseSeconds: limits.imports.pauseSeconds,
      look: async (task) => ((await repairJob(deps, task)).isDone ? 'done' : {}),
    },
  }) satisfies Record<string, TaskKind>;

/** No execution of a workflow runs this long. A file that is still being read after this time was abandoned. */
const LONGEST_MS = (limits.workflows.timeoutSeconds + limits.imports.splitSeconds) * 1000;

const isAbandoned = ({ phase, started }: ImportJob, now: number): boolean =>
  (phase === 'started' || phase === 'readable') && started !== null && now - started > LONGEST_MS;

/** Repairs a job. Returns how much it has repaired, and whether nothing more can be missing. */
export const repairJob = async (
  deps: RepairDeps,
  { property, ids: [id = 0], until }: Pick<Task, 'property' | 'ids' | 'until'>,
): Promise<{ readonly repairs: number; readonly isDone: boolean }> => {
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
  const announces = mayAnnounce && isAnnouncementOverdue(job, deliveries, { since: until - OVERDUE_MS, now });
  if (announces) await announceAgain(deps, job, now);
  const isOpen = job !== undefined && (mayGrow(job) || owesAnnouncement(job, deliveries));
  return {
    repairs: lost.length + stuck.length + Number(abandoned) + Number(announces),
    isDone: waiting.length === 0 && !isUndoing && !isOpen,
  };
};

/** Starts another execution of the workflow of a job, at most once in the time after which it would be overdue again. */
const announceAgain = async ({ workflow }: RepairDeps, job: ImportJob, now: number): Promise<void> => {
  const { property, import: importId, id } = job;
  const period = Math.floor(now / OVERDUE_MS);
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
