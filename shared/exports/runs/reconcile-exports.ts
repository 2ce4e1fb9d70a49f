/** Reconcile exports: the looks at jobs and schedules of exports that a function may have left unfinished. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { ObjectStore, Workflow } from '../../runtime/ports.ts';
import { scheduleKind, type KeepDeps } from '../../schedules/client-schedules.ts';
import type { Looked, TaskKind } from '../../tasks/reconcile.ts';
import { hasAttemptsLeft } from '../../deliveries/delivery-state.ts';
import { continueDeliveries, startDeliveries } from '../delivery/start-deliveries.ts';
import type { ExportJob, JobRef } from '../model/items.ts';
import { isOpen } from '../model/transitions.ts';
import { candidateKeys } from '../model/frozen-set.ts';
import { jobFolders } from '../model/work-keys.ts';
import { cancelJob, failExport } from './end-job.ts';
import { launchJob } from './launch-job.ts';
import { isQueued } from './run-queue.ts';
import type { RunDeps } from './request-run.ts';
import { exportSchedules, runsToCome } from './schedule-runs.ts';

export interface ReconcileExportsDeps extends RunDeps, KeepDeps {
  readonly files: Pick<ObjectStore, 'list' | 'remove'>;
  readonly deliveries: Workflow;
}

/** No execution lives this long: a job that is still open then has lost its execution. */
const LONGEST_MS = (limits.workflows.timeoutSeconds + limits.exports.taskSeconds) * 1_000;

/** An execution makes an attempt that is due, or waits this long after trouble; later it has certainly been stopped. */
const STOPPED_MS = 2 * limits.exports.troubleSeconds * 1_000;

const ids = v.tuple([v.number(), v.number()]);

/**
 * The tasks of exports: jobs that were named but never started, jobs whose execution was ended from outside, deliveries that
 * were not started, objects that no job names, and schedules that do not match their definition.
 */
export const exportTasks = (deps: ReconcileExportsDeps) =>
  ({
    'export-job': {
      pauseSeconds: limits.exports.pauseSeconds,
      look: ({ property, ids: of }) => {
        const [id, job] = v.parse(ids, of);
        return lookAtJob(deps, { property, export: id, job });
      },
    },
    'export-schedule': scheduleKind(deps, async ({ property, ids: of }) => {
      const [id, revision] = v.parse(ids, of);
      const definition = (await deps.exports.definition(property, id))?.value;
      const scheduled = exportSchedules({ property, export: id, revision });
      return { scheduled, toCome: runsToCome(definition, revision) };
    }),
  }) satisfies Record<string, TaskKind>;

const lookAtJob = async (deps: ReconcileExportsDeps, ref: JobRef): Promise<Looked> => {
  const now = deps.clock();
  // The definition is read before the job, so a job that has left the queue is found ended.
  const definition = (await deps.exports.definition(ref.property, ref.export))?.value;
  const job = (await deps.exports.job(ref))?.value;
  if (job && !isOpen(job)) {
    if (definition && job.status !== 'cancelled') await startDeliveries(deps, job);
    const looked = await removeLeftoversWhenDue(deps, job);
    return looked === 'done' && definition ? goOnTelling(deps, job) : looked;
  }
  if (!definition) return (await cancelJob(deps, ref)) ? {} : 'done';
  // The function that added the task died before it named the job: no client has seen the job.
  if (!isQueued(definition, ref.job)) return 'done';
  // A later look starts the deliveries of the failed job and removes its leftovers.
  if (job?.status === 'running' && now - (job.started ?? job.created) > LONGEST_MS) {
    await failExport(deps, ref, 'States.Timeout');
  } else {
    // A job that waits for the slot may outlive its execution; then it gets another execution. A restore may bring back a
    // definition without the job that it names.
    const created = job?.created ?? now;
    const execution = Math.floor((now - created) / LONGEST_MS);
    await launchJob(deps, definition, { job: ref.job, created, execution });
  }
  return {};
};

/**
 * Looks after the changes of a complete job until they are told or given up, because the next job waits for that: starts an
 * execution again if the last one was stopped.
 */
const goOnTelling = async (deps: ReconcileExportsDeps, job: ExportJob): Promise<Looked> => {
  const { exports, clock } = deps;
  const delivery = job.status === 'complete' ? (await exports.delivery(job, 'changes'))?.value : undefined;
  if (!delivery || !hasAttemptsLeft(delivery)) return 'done';
  const ended = job.finished ?? job.created;
  const overdue = clock() - (delivery.next_attempt ?? ended);
  if (overdue >= STOPPED_MS) await continueDeliveries(deps, job, Math.floor((clock() - ended) / STOPPED_MS));
  return { due: clock() + STOPPED_MS };
};

/** Removes the leftovers of an ended job once no step can still write. */
const removeLeftoversWhenDue = async (
  { files, clock }: ReconcileExportsDeps,
  job: ExportJob,
): Promise<Looked> => {
  const due = (job.finished ?? job.created) + limits.exports.leftoverSeconds * 1_000;
  if (due > clock()) return { due };
  await removeLeftovers(files, job);
  return 'done';
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

/** Only a complete job keeps objects: its file, its manifest, and the sets of its candidates, the base of the next delta. */
const keptObjects = ({ status, file, plan }: ExportJob): readonly (string | null | undefined)[] =>
  status === 'complete'
    ? [file?.key, file?.manifest_key, plan?.omitted_key, ...(plan ? candidateKeys(plan) : [])]
    : [];
