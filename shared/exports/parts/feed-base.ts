/** Feed base: finds what the receiver of changes knows, on which the next job builds. */
import type { MemberChunk } from '../../membership/read-members.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { ExportDefinition, ExportJob, ExportPlan, JobRef } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { ATTEMPT_ID_BYTES, objectKeys } from '../model/work-keys.ts';
import { isBeforeRestore } from './delta-base.ts';
import { decodeFrozen, storeFrozen, symmetricDifferenceOf, unionOf, without } from '../model/frozen-set.ts';

export interface FeedBaseDeps {
  readonly exports: ExportRepository;
  readonly files: ObjectStore;
  readonly ids: Ids;
}

/** What a job of changes builds on, and whether it tells nobody. */
export type FeedBase = Pick<ExportPlan, 'base' | 'silent'>;

/**
 * The base of a job whose changes are told in calls: the members as told, and those of whom the receiver may know either,
 * as an object of this attempt. `null` for a new receiver, and when nobody knows what the receiver knows: then it is to
 * discard what it has. The base outlives a replacement of the definition, unless the receiver is another one.
 */
export const findFeedBase = async (
  deps: FeedBaseDeps,
  ref: JobRef,
  definition: ExportDefinition,
): Promise<FeedBase> => {
  const { told_job, untold_job, changes } = definition;
  if (!(await isUnnoted(deps, definition))) {
    if (told_job !== null) return { base: await baseOf(deps, ref, { told_job, untold_job }), silent: false };
    const isNew = untold_job === null && !(await isBeforeRestore(deps, ref.property, definition.created));
    if (isNew) return { base: null, silent: changes?.first === 'none' };
  }
  return { base: null, silent: false };
};

/** Whether the last complete job of this receiver is neither told nor untold: release 0.2.0 notes nothing of it. */
const isUnnoted = async (
  { exports }: FeedBaseDeps,
  { property, export: id, told_job, untold_job, complete_job, feed_revision }: ExportDefinition,
): Promise<boolean> => {
  if (complete_job === null || [told_job, untold_job].includes(complete_job)) return false;
  const last = (await exports.job({ property, export: id, job: complete_job }))?.value.plan;
  return !last || last.revision >= feed_revision;
};

interface KnownJobs {
  readonly told_job: number;
  readonly untold_job: number | null;
}

/** The base after these jobs. `null` if it is lost: one of them, or one of their sets, is no longer stored. */
const baseOf = async (
  deps: FeedBaseDeps,
  ref: JobRef,
  { told_job, untold_job }: KnownJobs,
): Promise<ExportPlan['base']> => {
  const named = untold_job === null ? [told_job] : [told_job, untold_job];
  const [last, untold] = await deps.exports.jobsOf(named.map((job) => ({ ...ref, job })));
  if (!isPlanned(last) || (await isBeforeRestore(deps, ref.property, last.plan.watermark))) return null;
  const { job, file, plan } = last;
  const told = await readTold(deps.files, plan);
  const uncertain = told && (untold_job === null ? [] : await uncertainAfter(deps.files, told, untold));
  if (!told || !uncertain) return null;
  const store = async (kind: 'told' | 'uncertain', set: readonly MemberChunk[]): Promise<string> =>
    storeFrozen(deps.files, objectKeys[kind](ref, deps.ids.hex(ATTEMPT_ID_BYTES)), set);
  return {
    // A job without a file made no call: the receiver knows the one before.
    job: file === null && plan.base !== null ? plan.base.job : job,
    members_key: plan.omitted_key === null ? plan.members_key : await store('told', told),
    watermark: plan.watermark,
    uncertain_key: uncertain.length === 0 ? null : await store('uncertain', uncertain),
  };
};

/**
 * The people of whom a receiver may know either after a job that was given up: all whom the job may have named. These are
 * those in whom it differs from what was told, and those who were uncertain before it. After a job without a base nobody
 * knows whether the receiver has discarded what it knew: `undefined`, as if a set is no longer stored.
 */
const uncertainAfter = async (
  files: ObjectStore,
  told: readonly MemberChunk[],
  job: ExportJob | undefined,
): Promise<readonly MemberChunk[] | undefined> => {
  if (!isPlanned(job) || job.plan.base === null) return undefined;
  const { uncertain_key } = job.plan.base;
  const [members, before] = await Promise.all([readTold(files, job.plan), readSet(files, uncertain_key)]);
  return members && before && unionOf(before, symmetricDifferenceOf(told, members));
};

/** The members of a job without those whom its changes left out; `undefined` if they are no longer stored. */
const readTold = async (
  files: ObjectStore,
  { members_key, omitted_key }: ExportPlan,
): Promise<readonly MemberChunk[] | undefined> => {
  const [members, omitted] = await Promise.all([readSet(files, members_key), readSet(files, omitted_key)]);
  return members && omitted && without(members, omitted);
};

/** A set, nobody without a key; `undefined` if it is no longer stored. */
const readSet = async (
  files: ObjectStore,
  key: string | null,
): Promise<readonly MemberChunk[] | undefined> => {
  if (key === null) return [];
  const stored = await files.get(key);
  return stored && decodeFrozen(stored);
};

interface PlannedJob extends ExportJob {
  readonly plan: ExportPlan;
}

const isPlanned = (job: ExportJob | undefined): job is PlannedJob => job !== undefined && job.plan !== null;
