import { limits } from '../../config/limits.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { decodeFrozen, type HasMember } from './frozen-set.ts';
import type { ExportDefinition, ExportJob, ExportPlan } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import type { ForgottenDeps } from './forgotten-members.ts';

/** A candidate compared with the base of a delta: a new member, a member of both, or a member of the base only. */
export type CandidateState = 'added' | 'kept' | 'removed';

export interface BaseDeps extends ForgottenDeps {
  readonly exports: ExportRepository;
  readonly files: ObjectStore;
  /** When the newest undo of an import had ended (epoch milliseconds): infinite while one runs, 0 if there was none. */
  readonly lastUndo: (property: number) => Promise<number>;
}

/**
 * The base of a delta: the last complete job, named by the last job with a file. `null` for a full export, for the first job of a revision, because an
 * earlier revision may have had other columns, when the members of the last job are no longer stored, when an undo may
 * have taken people away since (then nothing says any more by which address the file of the base named them), and when
 * nobody may have got the last file because somebody in it was forgotten. Without a base, the file has all members. The
 * members of this job must have been read before the call.
 */
export const findDeltaBase = async (
  deps: BaseDeps,
  { property, export: id, scope, revision, complete_job }: ExportDefinition,
): Promise<ExportPlan['base']> => {
  if (scope !== 'delta' || complete_job === null) return null;
  const { exports, files, lastUndo } = deps;
  const job = (await exports.job({ property, export: id, job: complete_job }))?.value;
  if (!job) return null;
  const { plan } = job;
  if (plan?.revision !== revision || !(await files.head(plan.members_key))) return null;
  if ((await lastUndo(property)) + CLOCK_SKEW_MS >= plan.watermark) return null;
  const told = await lastWithFile(exports, job);
  if (!told || (await wasWithheld(deps, told))) return null;
  return { job: told.job, members_key: plan.members_key, watermark: plan.watermark, uncertain_key: null };
};

/**
 * The job whose file a receiver got last: a job without a file had no rows, so it has told nothing beyond the file that it
 * built on. `undefined` if nobody ever got a file.
 */
const lastWithFile = async (exports: ExportRepository, job: ExportJob): Promise<ExportJob | undefined> => {
  const base = job.plan?.base;
  if (job.file || !base) return job.file ? job : undefined;
  const { property, export: id } = job;
  return (await exports.job({ property, export: id, job: base.job }))?.value;
};

/**
 * Whether a file may have reached nobody because somebody in it was forgotten: no delivery of it has succeeded. Then its
 * changes must be in the next file too.
 */
const wasWithheld = async ({ exports, hasForgotten }: BaseDeps, job: ExportJob): Promise<boolean> => {
  if (!(await hasForgotten(job))) return false;
  const [deliveries = []] = await exports.deliveries([job]);
  return deliveries.every(({ delivered }) => delivered === null);
};

const CLOCK_SKEW_MS = limits.clockSkewSeconds * 1000;

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
export const changedSince = (base: Pick<NonNullable<ExportPlan['base']>, 'watermark'> | null): number =>
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
