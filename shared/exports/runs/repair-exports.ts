/** Repair exports: reconciles the tasks of the outbox, so that work which a crashed function left behind is finished. */
import { limits } from '../../config/limits.ts';
import { isoTime } from '../../runtime/clock.ts';
import { Failures } from '../../runtime/failures.ts';
import { mapLimited } from '../../runtime/pool.ts';
import type { ObjectStore, Workflow } from '../../runtime/ports.ts';
import { OUTBOX_PARTITIONS } from '../../table/keys.ts';
import type { Versioned } from '../../table/versioned.ts';
import { startDeliveries } from '../delivery/start-deliveries.ts';
import type { ExportJob, JobRef } from '../model/items.ts';
import type { OutboxTask } from '../model/outbox.ts';
import { isOpen } from '../model/transitions.ts';
import { jobFolders } from '../model/work-keys.ts';
import { cancelJob } from './cancel-job.ts';
import { failExport } from './fail-export.ts';
import { launchJob } from './launch-job.ts';
import { isQueued } from './run-queue.ts';
import {
  runScheduledExport,
  syncSchedules,
  type RevisionRef,
  type ScheduledDeps,
  type SyncDeps,
} from './schedule-runs.ts';

export interface RepairDeps extends Omit<ScheduledDeps, 'schedules'>, SyncDeps {
  readonly files: Pick<ObjectStore, 'list' | 'remove'>;
  readonly deliveries: Workflow;
}

/** Tasks reconciled at once. */
const WIDTH = 8;

/** No execution lives this long: a job that is still open then has lost its execution. */
const LONGEST_MS = (limits.workflows.timeoutSeconds + limits.exports.outboxTaskSeconds) * 1000;

/**
 * Reconciles all due tasks of the outbox: jobs that were named but never started, jobs whose execution was ended from
 * outside, deliveries that were not started, objects that no job names, and schedules that do not match their
 * definition. Returns the number of finished tasks. Throws the first error after all other tasks were reconciled.
 */
export const repairExports = async (deps: RepairDeps): Promise<number> => {
  let finished = 0;
  const failures = new Failures();
  for (let partition = 0; partition < OUTBOX_PARTITIONS; partition += 1) {
    const tasks = await deps.exports.outboxTasks(partition);
    const due = deps.clock() - limits.exports.outboxTaskSeconds * 1000;
    await mapLimited(
      tasks.filter(({ value }) => value.created <= due),
      WIDTH,
      async (task) => {
        const isFinished = await failures.attempt(() => reconcileAndRemove(deps, task));
        finished += Number(isFinished ?? false);
      },
    );
  }
  failures.throwFirst();
  return finished;
};

const reconcileAndRemove = async (deps: RepairDeps, task: Versioned<OutboxTask>): Promise<boolean> => {
  const isFinished = await reconcile(deps, task.value);
  if (isFinished) await deps.exports.removeOutboxTask(task);
  return isFinished;
};

/** Reconciles one task. Returns whether the task is finished. */
const reconcile = async (deps: RepairDeps, task: OutboxTask): Promise<boolean> => {
  const { property, export: id, job, revision } = task;
  if (job !== null) return reconcileJob(deps, { property, export: id, job }, task.created);
  return revision === null || reconcileSchedule(deps, { property, export: id, revision });
};

/**
 * The task of a schedule that runs once stays until the run exists: EventBridge Scheduler sends nothing for a time that
 * passed before the schedule was created.
 */
const reconcileSchedule = async (deps: RepairDeps, ref: RevisionRef): Promise<boolean> => {
  const run_at = (await syncSchedules(deps, ref))?.run_at ?? null;
  if (run_at === null) return true;
  if (run_at + limits.exports.outboxTaskSeconds * 1000 > deps.clock()) return false;
  await runScheduledExport(deps, { ...ref, catches_up: false, time: isoTime(run_at) });
  return true;
};

const reconcileJob = async (deps: RepairDeps, ref: JobRef, created: number): Promise<boolean> => {
  // The definition is read before the job, so a job that has left the queue is found ended.
  const definition = (await deps.exports.definition(ref.property, ref.export))?.value;
  const job = (await deps.exports.job(ref))?.value;
  if (job && !isOpen(job)) {
    if (definition && job.status !== 'cancelled') await startDeliveries(deps, job);
    return removeLeftoversWhenDue(deps, job);
  }
  if (!definition) return (await cancelJob(deps, ref)) === undefined;
  // The function that added the task died before it named the job: no client has seen the job.
  if (!isQueued(definition, ref.job)) return true;
  // A later call starts the deliveries of the failed job and removes its leftovers.
  if (job?.status === 'running' && deps.clock() - (job.started ?? created) > LONGEST_MS) {
    await failExport(deps, ref, 'States.Timeout');
  } else {
    // A job that waits for the slot may outlive its execution; then it gets another execution.
    const execution = Math.floor((deps.clock() - created) / LONGEST_MS);
    await launchJob(deps, definition, { job: ref.job, created, execution });
  }
  return false;
};

/** Removes the leftovers of an ended job once no step can still write. Returns whether it did. */
const removeLeftoversWhenDue = async ({ files, clock }: RepairDeps, job: ExportJob): Promise<boolean> => {
  if ((job.finished ?? job.created) + limits.exports.leftoverSeconds * 1000 > clock()) return false;
  await removeLeftovers(files, job);
  return true;
};

/**
 * Removes the objects that attempts at an ended job left in the exports bucket: a file whose job was cancelled during
 * the write, or a file that two attempts wrote. No item names such an object, so no client could open it. The caller
 * makes sure that no step can still write.
 */
const removeLeftovers = async (
  files: Pick<ObjectStore, 'list' | 'remove'>,
  job: ExportJob,
): Promise<void> => {
  const kept = new Set(keptObjects(job));
  for (const folder of jobFolders(job))
    for (const key of await files.list(folder)) if (!kept.has(key)) await files.remove(key);
};

/** Only a complete job keeps objects: its file, its manifest, and its members, the base of the next delta. */
const keptObjects = ({ status, file, plan }: ExportJob): readonly (string | undefined)[] =>
  status === 'complete' ? [file?.key, file?.manifest_key, plan?.members_key] : [];
