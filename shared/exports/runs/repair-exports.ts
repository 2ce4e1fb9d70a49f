import { limits } from '../../config/limits.ts';
import { isoTime } from '../../runtime/clock.ts';
import { Failures } from '../../runtime/failures.ts';
import { mapLimited } from '../../runtime/pool.ts';
import type { ObjectStore, Workflow } from '../../runtime/ports.ts';
import { OUTBOX_PARTITIONS } from '../../table/keys.ts';
import { cancelOpen } from './cancel-export-job.ts';
import { failExport } from './fail-export.ts';
import { isOpen, type OutboxTask, type ExportJob, type JobRef } from '../model/items.ts';
import type { Seen } from '../model/repository.ts';
import { launchJob } from './launch-job.ts';
import { isQueued } from './run-queue.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { startDeliveries } from '../delivery/start-deliveries.ts';
import {
  runScheduledExport,
  syncSchedules,
  type RevisionRef,
  type ScheduledDeps,
  type SyncDeps,
} from './schedule-runs.ts';

/** What repairing needs. */
export interface RepairDeps extends Omit<ScheduledDeps, 'schedules'>, SyncDeps {
  readonly files: Pick<ObjectStore, 'list' | 'remove'>;
  readonly deliveries: Workflow;
}

/** Chores looked after at once. */
const WIDTH = 8;
/** No execution lives as long as this: a job that is still open then has lost its execution. */
const LONGEST_MS = (limits.workflows.timeoutSeconds + limits.exports.outboxTaskSeconds) * 1000;

/**
 * Looks after work that was begun and perhaps not finished: jobs that were named but never started, jobs whose execution was
 * ended from outside, deliveries that nobody started, objects that no job names, and schedules that are not as their
 * definition says. Answers how many chores are done with. What one chore throws is thrown when all others have been looked
 * after.
 */
export const repairExports = async (deps: RepairDeps): Promise<number> => {
  let done = 0;
  const failures = new Failures();
  for (let partition = 0; partition < OUTBOX_PARTITIONS; partition += 1) {
    const chores = await deps.exports.outboxTasks(partition);
    const due = deps.clock() - limits.exports.outboxTaskSeconds * 1000;
    await mapLimited(
      chores.filter(({ value }) => value.created <= due),
      WIDTH,
      async (seen) => {
        const isDone = await failures.attempt(() => finish(deps, seen));
        done += Number(isDone ?? false);
      },
    );
  }
  failures.throwFirst();
  return done;
};

const finish = async (deps: RepairDeps, seen: Seen<OutboxTask>): Promise<boolean> => {
  const isDone = await reconcile(deps, seen.value);
  if (isDone) await deps.exports.removeOutboxTask(seen);
  return isDone;
};

/** Does what is left of a chore; whether nothing more will be. */
const reconcile = async (deps: RepairDeps, chore: OutboxTask): Promise<boolean> => {
  const { property, export: id, job, revision } = chore;
  if (job !== null) return reconcileJob(deps, { property, export: id, job }, chore.created);
  return revision === null || reconcileSchedule(deps, { property, export: id, revision });
};

/** What runs once is looked after until it has run: a time that passed before its schedule was there is never told. */
const reconcileSchedule = async (deps: RepairDeps, ref: RevisionRef): Promise<boolean> => {
  const run_at = (await syncSchedules(deps, ref))?.run_at ?? null;
  if (run_at === null) return true;
  if (run_at + limits.exports.outboxTaskSeconds * 1000 > deps.clock()) return false;
  await runScheduledExport(deps, { ...ref, time: isoTime(run_at) });
  return true;
};

const reconcileJob = async (deps: RepairDeps, ref: JobRef, created: number): Promise<boolean> => {
  // Read before the job: one that has left its lane is found there.
  const definition = (await deps.exports.definition(ref.property, ref.export))?.value;
  const job = (await deps.exports.job(ref))?.value;
  if (job && !isOpen(job)) {
    if (definition && job.status !== 'cancelled') await startDeliveries(deps, job);
    return removeLeftoversWhenDue(deps, job);
  }
  if (!definition) return (await cancelOpen(deps, ref)) === undefined;
  // Never named, and whoever was about to has ended: nobody knows of it.
  if (!isQueued(definition, ref.job)) return true;
  // The next look tells of a failure, and clears up.
  if (job?.status === 'running' && deps.clock() - (job.started ?? created) > LONGEST_MS)
    await failExport(deps, ref, 'States.Timeout');
  else {
    // A job that waits for its turn outlives its execution, and gets another one.
    const execution = Math.floor((deps.clock() - created) / LONGEST_MS);
    await launchJob(deps, definition, { job: ref.job, created, execution });
  }
  return false;
};

/** Whether a job that has ended is cleared up after: not before the last of its steps must be over. */
const removeLeftoversWhenDue = async ({ files, clock }: RepairDeps, job: ExportJob): Promise<boolean> => {
  if ((job.finished ?? job.created) + limits.exports.leftoverSeconds * 1000 > clock()) return false;
  await removeLeftovers(files, job);
  return true;
};
