import { limits } from '../../config/limits.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { decodeFrozen, type HasMember } from './frozen-set.ts';
import type { ExportDefinition, ExportPlan } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';

/** A candidate compared with the base of a delta: a new member, a member of both, or a member of the base only. */
export type CandidateState = 'added' | 'kept' | 'removed';

interface BaseDeps {
  readonly exports: ExportRepository;
  readonly files: ObjectStore;
}

/**
 * The base of a delta: the last complete job. `null` for a full export, for the first job of a revision, because an
 * earlier revision may have had other columns, and when the members of the last job are no longer stored. Without a
 * base, the file has all members.
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

/** Compares candidates with the members of a job and of its base. */
export const candidateStates = (
  isMember: HasMember,
  wasMember: HasMember,
): ((ordinal: number) => CandidateState) => {
  return (ordinal) => {
    if (!isMember(ordinal)) return 'removed';
    return wasMember(ordinal) ? 'kept' : 'added';
  };
};

/** Profiles stored at or after this time count as changed. It lies some time before the first read of the base. */
export const changedSince = (base: ExportPlan['base']): number =>
  base === null ? 0 : base.watermark - limits.exports.deltaOverlapSeconds * 1000;

/** Reads a frozen set. Throws when its object is missing, because the bucket keeps objects longer than any job runs. */
export const readFrozen = async (
  files: ObjectStore,
  key: string,
): Promise<ReturnType<typeof decodeFrozen>> => {
  const frozen = await files.get(key);
  if (!frozen) throw new Error('exports: the frozen members are missing');
  return decodeFrozen(frozen);
};
