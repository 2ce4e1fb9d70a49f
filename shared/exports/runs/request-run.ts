/** Request run: puts a new job of a definition into its run queue, for the API and for schedules. */
import type { ReferenceDeps } from '../../references/references.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { done, retryOnConflict, type Attempted } from '../../runtime/retry.ts';
import type { RequestIdentity } from '../../table/idempotent-ids.ts';
import type { Write } from '../../table/table.ts';
import type { Versioned } from '../../table/versioned.ts';
import { updateDefinition } from '../model/repository.ts';
import type { ExportDefinition, ExportJob, JobRef } from '../model/items.ts';
import { findTargets, targetWrites, type TargetDeps } from '../model/targets.ts';
import { jobWrites, launchJob, pendingJob, startJob, type LaunchDeps } from './launch-job.ts';
import { enqueue, isQueued, runQueueOf, tellingOf, withoutEndedJobs, type Telling } from './run-queue.ts';

export interface RunDeps extends LaunchDeps, ReferenceDeps, TargetDeps {}

/** A request to run an export. */
export interface RunRequest {
  readonly property: number;
  readonly export: number;
  /** Idempotency key: repetitions of one request never make two runs. */
  readonly requestIdentity: RequestIdentity;
  /** The id of the job that the request makes, if it is allocated already. */
  readonly job?: number;
  /** The revision whose schedule requests the run; absent for a request of a client. */
  readonly revision?: number;
}

/** Reasons against a run: the definition (of this revision) does not exist, or one of its targets was deleted. */
export type RunRefusal = 'missing' | 'targets_gone';

/**
 * Runs a definition again, with a job of its own. While another job runs, the new job waits. While a job already waits,
 * the new run is coalesced with it, because the waiting job will use the definition and the members as they are when it
 * starts. One transaction stores the job, its task and its references, and names it in the definition. After a crash,
 * a repetition of the request or the reconciliation of the task starts it.
 */
export const requestRun = async (
  deps: RunDeps,
  request: RunRequest,
): Promise<Result<ExportJob, RunRefusal>> => {
  const own = request.job ?? (await deps.exports.jobIdOf(request.requestIdentity));
  return retryOnConflict<Result<ExportJob, RunRefusal>>(
    { pause: deps.pause, what: 'exports: a definition' },
    async () => {
      const seen = await deps.exports.definition(request.property, request.export);
      if (!seen || (request.revision !== undefined && request.revision !== seen.value.revision))
        return done(err('missing'));
      return tryRun(deps, request, seen, own);
    },
  );
};

const tryRun = async (
  deps: RunDeps,
  { requestIdentity, revision }: RunRequest,
  seen: Versioned<ExportDefinition>,
  own: number,
): Promise<Attempted<Result<ExportJob, RunRefusal>>> => {
  const definition = seen.value;
  const { now } = requestIdentity;
  // The jobs are read after the definition, so a job that has left the queue is found here.
  const findJob = await jobFinder(deps, definition, { now, own });
  const launched = findJob(own);
  const queue = withoutEndedJobs(runQueueOf(definition), findJob);
  if (isQueued(queue, own)) return done(ok(await relaunch(deps, definition, own, { now, known: launched })));
  // The job was launched before and has left the queue: the run is over.
  if (launched) return done(ok(launched));
  const admission = enqueue(queue, own);
  const isLast = revision !== undefined && definition.schedule?.once === true;
  const to_come = definition.to_come && !isLast;
  if (admission.kind === 'coalesced') {
    const { job } = admission;
    const isChanged = to_come !== definition.to_come;
    if (isChanged && (await deps.exports.updateDefinition(seen, { to_come })) === 'refused')
      return 'conflict';
    return done(ok(await relaunch(deps, definition, job, { now, known: findJob(job) })));
  }
  const next = { ...definition, ...admission.queue, to_come };
  const referenced = await referenceAllTargets(deps, next, now);
  if (!referenced.ok) return done(err('targets_gone'));
  const job = { job: own, created: now };
  const refused = await deps.table.transact([
    updateDefinition(seen, { ...admission.queue, to_come }),
    ...(await jobWrites(deps.table, next, job)),
    ...referenced.value,
  ]);
  if (refused.length > 0) return 'conflict';
  await startJob(deps, next, job);
  return done(ok(pendingJob(next, job)));
};

/** Stores and starts a queued job unless both were done before. */
const relaunch = async (
  deps: RunDeps,
  definition: ExportDefinition,
  job: number,
  { now, known }: { readonly now: number; readonly known: ExportJob | undefined },
): Promise<ExportJob> => {
  const launched = await launchJob(deps, definition, { job, created: known?.created ?? now });
  return known ?? launched;
};

/** The writes that reference the targets of a definition again; an error when one of them was deleted. */
const referenceAllTargets = async (
  deps: RunDeps,
  definition: ExportDefinition,
  now: number,
): Promise<Result<readonly Write[], unknown>> => {
  const { property, segment, collection } = definition;
  const targets = await findTargets(deps, property, { segment, collection, tile_types: null });
  return targets.ok ? targetWrites(deps, definition, targets.value, now) : targets;
};

interface FoundJob extends ExportJob {
  readonly telling: Telling;
}

/** Reads the queued jobs of a definition as of a time (epoch milliseconds), and one more job. */
export const jobFinder = async (
  { exports }: Pick<RunDeps, 'exports'>,
  definition: ExportDefinition,
  { now, own = null }: { readonly now: number; readonly own?: number | null },
): Promise<(job: number) => FoundJob | undefined> => {
  const { property, export: id, current_job, waiting_job, changes } = definition;
  const named = [...new Set([current_job, waiting_job, own])].filter((job) => job !== null);
  const jobs = await exports.jobsOf(named.map((job): JobRef => ({ property, export: id, job })));
  const current = jobs.find((known) => known?.job === current_job);
  // A delivery of an open job has not begun, and is read after its job.
  const isTelling = changes !== null && current?.status === 'complete';
  const delivery = isTelling ? (await exports.delivery(current, 'changes'))?.value : undefined;
  return (job) => {
    const known = jobs.find((one) => one?.job === job);
    const seen = { delivery: known === current ? delivery : undefined, now };
    return known && { ...known, telling: tellingOf(definition, known, seen) };
  };
};
