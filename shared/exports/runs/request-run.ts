import { limits } from '../../config/limits.ts';
import { DAY_SECONDS } from '../../runtime/clock.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import type { RequestKey } from '../../table/idempotent-ids.ts';
import {
  addReferences,
  touchReferents,
  type Referent,
  type ReferenceDeps,
} from '../../references/references.ts';
import type { ExportDefinition, ExportJob, JobRef } from '../model/items.ts';
import { launchJob, type StartDeps } from './launch-job.ts';
import { enqueue, isQueued, runQueueOf, withoutEndedJobs, type FindJob } from './run-queue.ts';
import type { Seen } from '../model/repository.ts';
import { findTargets, type TargetDeps } from '../model/targets.ts';

/** What asking for runs needs. */
export interface RunDeps extends StartDeps, ReferenceDeps, TargetDeps {}

/** Of which export a run is asked for. */
export interface RunRequest {
  readonly property: number;
  readonly export: number;
  /** Asks for the run: the same cause never brings about two runs, however often it is told. */
  readonly requestKey: RequestKey;
  /** The run that a schedule of this revision asks for. */
  readonly revision?: number;
}

/** Why there is no run: the definition is not there (any more), or something that it names is not. */
export type RunRefusal = 'missing' | 'targets_gone';

/** Longest time that a job waits and runs: for so long what it names is in use. */
const USE_SECONDS = 2 * limits.workflows.timeoutSeconds + DAY_SECONDS;
/** Longer than two runs of any schedule are apart; each of them announces anew. */
const SCHEDULED_USE_SECONDS = 10 * 366 * DAY_SECONDS;

/** When the uses of a definition are over at the latest, in epoch seconds. */
export const referencesEnd = ({ to_come }: Pick<ExportDefinition, 'to_come'>, now: number): number =>
  Math.ceil(now / 1000) + (to_come ? SCHEDULED_USE_SECONDS : USE_SECONDS);

/**
 * Runs a definition again. It gets a job of its own; while another job runs, that waits for it; while one waits already, that
 * one serves this request too, since it will work by the definition and the members of its time. What is written first names
 * the job, so a crash is repaired by repeating the request, or by the chore that stands from before.
 */
export const requestRun = async (
  deps: RunDeps,
  request: RunRequest,
): Promise<Result<ExportJob, RunRefusal>> => {
  const own = await deps.exports.idOf(request.requestKey, 'export-job');
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'exports: a definition');
    const seen = await deps.exports.definition(request.property, request.export);
    if (!seen || (request.revision !== undefined && request.revision !== seen.value.revision))
      return err('missing');
    const outcome = await tryRun(deps, request, seen, own);
    if (outcome !== 'again') return outcome;
  }
};

const tryRun = async (
  deps: RunDeps,
  request: RunRequest,
  seen: Seen<ExportDefinition>,
  own: number,
): Promise<Result<ExportJob, RunRefusal> | 'again'> => {
  const definition = seen.value;
  // Read after the definition: a job that has left its lane is found here.
  const jobs = await readJobs(deps, definition, own);
  const done = jobs.get(own);
  const lane = withoutEndedJobs(runQueueOf(definition), (job) => jobs.get(job));
  if (isQueued(lane, own))
    return ok(await relaunch(deps, definition, { job: own, created: request.requestKey.now }, done));
  if (done) return ok(done);
  const admission = enqueue(lane, own);
  const isLast = request.revision !== undefined && definition.schedule?.once === true;
  const to_come = definition.to_come && !isLast;
  if (admission.kind === 'coalesced') {
    const { job } = admission;
    if (
      to_come !== definition.to_come &&
      (await deps.exports.updateDefinition(seen, { to_come })) === 'refused'
    )
      return 'again';
    return ok(await relaunch(deps, definition, { job, created: request.requestKey.now }, jobs.get(job)));
  }
  const next = { ...definition, ...admission.lane, to_come };
  if (!(await referenceTargets(deps, next, request.requestKey.now))) return err('targets_gone');
  const ref = { property: definition.property, export: definition.export, job: own };
  await deps.exports.addOutboxTask({ ...ref, created: request.requestKey.now, revision: null });
  if ((await deps.exports.updateDefinition(seen, { ...admission.lane, to_come })) === 'refused')
    return 'again';
  return ok(await launchJob(deps, next, { job: own, created: request.requestKey.now }));
};

/** Makes sure that a job which the definition names is there and started. */
const relaunch = async (
  deps: RunDeps,
  definition: ExportDefinition,
  job: { readonly job: number; readonly created: number },
  known: ExportJob | undefined,
): Promise<ExportJob> => {
  const launched = await launchJob(deps, definition, known ? { ...job, created: known.created } : job);
  return known ?? launched;
};

const readJobs = async (
  { exports }: RunDeps,
  { property, export: id, current_job, waiting_job }: ExportDefinition,
  own: number,
): Promise<ReadonlyMap<number, ExportJob>> => {
  const named = [...new Set([current_job, waiting_job, own])].filter((job) => job !== null);
  const refs = named.map((job): JobRef => ({ property, export: id, job }));
  const jobs = await exports.jobsOf(refs);
  return new Map(jobs.flatMap((job) => (job ? [[job.job, job] as const] : [])));
};

/** Announces anew what the definition names, and makes sure that it is there; `false` when something is gone. */
const referenceTargets = async (
  deps: RunDeps,
  definition: ExportDefinition,
  now: number,
): Promise<boolean> => {
  const { property, export: id, segment, collection } = definition;
  const targets = await findTargets(deps, property, { segment, collection, tile_types: null });
  if (!targets.ok) return false;
  return (
    (
      await addExportReferences(deps, {
        property,
        id,
        things: targets.value.referents,
        ttl: referencesEnd(definition, now),
      })
    ).length === 0
  );
};

/** Announces uses of an export and touches what is used. Returns what is gone. */
export const addExportReferences = async (
  deps: ReferenceDeps,
  { property, id, things, ttl }: { property: number; id: number; things: readonly Referent[]; ttl: number },
): Promise<readonly Referent[]> => {
  await addReferences(deps, property, { referrer: { kind: 'export', id }, referents: things, ttl });
  return touchReferents(deps, property, things);
};

/** Reads the jobs that a definition names, for its lane. */
export const jobReader = async (
  deps: Pick<RunDeps, 'exports'>,
  definition: ExportDefinition,
): Promise<FindJob> => {
  const { property, export: id, current_job, waiting_job } = definition;
  const named = [current_job, waiting_job].filter((job) => job !== null);
  const jobs = await deps.exports.jobsOf(named.map((job) => ({ property, export: id, job })));
  return (job) => jobs.find((known) => known?.job === job);
};
