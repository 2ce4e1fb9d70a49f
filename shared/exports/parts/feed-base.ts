/** Feed base: finds what the receiver of changes knows, on which the next job builds. */
import type { MemberChunk } from '../../membership/read-members.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { ExportDefinition, ExportJob, ExportPlan, JobRef } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { ATTEMPT_ID_BYTES, objectKeys } from '../model/work-keys.ts';
import { uncertainMembers } from './candidates.ts';
import { isBeforeRestore } from './delta-base.ts';
import { decodeFrozen, differenceOf, encodeFrozen } from '../model/frozen-set.ts';

export interface FeedBaseDeps {
  readonly exports: ExportRepository;
  readonly files: ObjectStore;
  readonly ids: Ids;
}

/**
 * The base of a job whose changes are told in calls: the members as told, and those of whom the receiver may know either,
 * as an object of this attempt. `null` when nobody knows what the receiver knows: then it is to discard what it has. The base
 * outlives a replacement of the definition, unless the receiver is another one.
 */
export const findFeedBase = async (
  deps: FeedBaseDeps,
  ref: JobRef,
  definition: ExportDefinition,
): Promise<ExportPlan['base']> => {
  const known = await knownJobs(deps, definition);
  if (!known || (await isBeforeRestore(deps, ref.property, known.told.plan))) return null;
  const [told, ...untold] = await Promise.all(
    [known.told, ...known.untold].map(({ plan }) => readTold(deps.files, plan)),
  );
  if (!told || !areAll(untold)) return null;
  const { job, file, plan } = known.told;
  const store = freezer(deps, ref);
  const uncertain = uncertainMembers(told, untold);
  return {
    // A job without a file made no call: the receiver knows the one before.
    job: file === null && plan.base !== null ? plan.base.job : job,
    members_key: plan.left_key === null ? plan.members_key : await store('told', told),
    watermark: plan.watermark,
    uncertain_key: uncertain.length === 0 ? null : await store('uncertain', uncertain),
  };
};

/** The members of a job without those whom its changes left out; `undefined` if they are no longer stored. */
const readTold = async (
  files: ObjectStore,
  { members_key, left_key }: ExportPlan,
): Promise<readonly MemberChunk[] | undefined> => {
  const [members, left] = await Promise.all([
    files.get(members_key),
    left_key === null ? nobody : files.get(left_key),
  ]);
  return members && left && differenceOf(decodeFrozen(members), decodeFrozen(left));
};

const nobody = encodeFrozen([]);

/** Stores sets as objects of this attempt. */
const freezer =
  ({ files, ids }: FeedBaseDeps, ref: JobRef) =>
  async (kind: 'told' | 'uncertain', set: readonly MemberChunk[]): Promise<string> => {
    const key = objectKeys[kind](ref, ids.hex(ATTEMPT_ID_BYTES));
    await files.put(key, encodeFrozen(set));
    return key;
  };

interface PlannedJob extends ExportJob {
  readonly plan: ExportPlan;
}

const isPlanned = (job: ExportJob | undefined): job is PlannedJob => job !== undefined && job.plan !== null;

const areAll = <T>(values: readonly (T | undefined)[]): values is readonly T[] =>
  values.every((value) => value !== undefined);

interface KnownJobs {
  readonly told: PlannedJob;
  /** Later jobs that were given up. */
  readonly untold: readonly PlannedJob[];
}

/** The jobs of which the receiver knows something; `undefined` if nothing is told, or one of them is unknown. */
const knownJobs = async (
  { exports }: FeedBaseDeps,
  { property, export: id, told_job, untold_jobs, complete_job, feed_revision }: ExportDefinition,
): Promise<KnownJobs | undefined> => {
  if (told_job === null) return undefined;
  const named = [told_job, ...untold_jobs];
  const isNoted = complete_job === null || named.includes(complete_job);
  const jobs = await exports.jobsOf(
    [...named, ...(isNoted ? [] : [complete_job])].map((job) => ({ property, export: id, job })),
  );
  const [told, ...untold] = jobs.slice(0, named.length);
  const last = isNoted ? undefined : jobs.at(-1)?.plan;
  // Release 0.2.0, after a rollback, lets jobs run without a note of what they tell.
  if (!isNoted && (!last || last.revision >= feed_revision)) return undefined;
  return isPlanned(told) && untold.every(isPlanned) ? { told, untold } : undefined;
};
