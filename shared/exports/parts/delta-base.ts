import { limits } from '../../config/limits.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { decodeFrozen, type HasMember } from './frozen-set.ts';
import type { ExportDefinition, ExportPlan } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';

/** What a member of a delta is to those who have the last file: new, there before as well, or no member any more. */
export type CandidateState = 'added' | 'kept' | 'removed';

interface BaseDeps {
  readonly exports: ExportRepository;
  readonly files: ObjectStore;
}

/**
 * What a delta is counted from: the last complete job. `null` (everybody is told) for a full export, for the first job of a
 * revision, since another one may have had other columns, and when the members of the last job are no longer kept.
 */
export const findDeltaBase = async (
  { exports, files }: BaseDeps,
  { property, export: id, scope, revision, complete_job }: ExportDefinition,
): Promise<ExportPlan['base']> => {
  if (scope !== 'delta' || complete_job === null) return null;
  const ref = { property, export: id, job: complete_job };
  const plan = (await exports.job(ref))?.value.plan;
  if (plan?.revision !== revision || !(await files.head(plan.members_key))) return null;
  return { job: complete_job, members_key: plan.members_key, watermark: plan.watermark };
};

/** Tells the standing of candidates from the members of a job and of its base. */
export const candidateStates = (
  isMember: HasMember,
  wasMember: HasMember,
): ((ordinal: number) => CandidateState) => {
  return (ordinal) => {
    if (!isMember(ordinal)) return 'removed';
    return wasMember(ordinal) ? 'kept' : 'added';
  };
};

/** The time from which stored profiles count as changed; some time before the base read its first one. */
export const changedSince = (base: ExportPlan['base']): number =>
  base === null ? 0 : base.watermark - limits.exports.deltaOverlapSeconds * 1000;

/** A frozen set of an object. Throws when it is gone: it is kept longer than any job runs. */
export const readFrozen = async (
  files: ObjectStore,
  key: string,
): Promise<ReturnType<typeof decodeFrozen>> => {
  const frozen = await files.get(key);
  if (!frozen) throw new Error('exports: the frozen members are missing');
  return decodeFrozen(frozen);
};
