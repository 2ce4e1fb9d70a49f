/** Delta base: finds the earlier job that a delta builds on, and which of its people count as changed since. */
import { limits } from '../../config/limits.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { layoutOf } from '../file/layout.ts';
import { UUID_FIELD } from '../model/fields.ts';
import type { ExportDefinition, ExportJob, ExportPlan } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import type { ForgottenDeps } from './forgotten-members.ts';

export interface BaseDeps extends ForgottenDeps {
  readonly exports: ExportRepository;
  readonly files: ObjectStore;
  /** When the newest undo of an import had ended (epoch milliseconds): infinite while one runs, 0 if there was none. */
  readonly lastUndo: (property: number) => Promise<number>;
}

/**
 * The base of a delta in a file: the last complete job, named by the last job with a file. `null` for a full export, for the
 * first job of a revision, because an earlier revision may have had other columns, when the members of the last job are no
 * longer stored, and when nobody may have got the last file because somebody in it was forgotten. Without a base, the file
 * has all members. The members of this job must have been read before the call.
 */
export const findDeltaBase = async (
  deps: BaseDeps,
  definition: ExportDefinition,
): Promise<ExportPlan['base']> => {
  const { property, export: id, scope, revision, complete_job } = definition;
  if (scope !== 'delta' || complete_job === null) return null;
  const { exports, files } = deps;
  const job = (await exports.job({ property, export: id, job: complete_job }))?.value;
  if (!job) return null;
  const { plan } = job;
  if (plan?.revision !== revision || !(await files.head(plan.members_key))) return null;
  if (await isBeforeRestore(deps, property, plan.watermark)) return null;
  const told = await lastWithFile(exports, job);
  if (!told || !(await isNameable(deps, definition, { plan, told }))) return null;
  return { job: told.job, members_key: plan.members_key, watermark: plan.watermark, uncertain_key: null };
};

/**
 * Whether a later file can name everybody whom a receiver has from the last one. Without UUIDs it cannot, once somebody was
 * forgotten or an undo may have taken people away: nothing says any more by which address the file named them.
 */
const isNameable = async (
  deps: BaseDeps,
  definition: ExportDefinition,
  { plan, told }: { readonly plan: ExportPlan; readonly told: ExportJob },
): Promise<boolean> => {
  const hasForgotten = await deps.hasForgotten(told);
  if (namesByUuid(definition)) return !hasForgotten || (await wasDelivered(deps, told));
  return !hasForgotten && (await deps.lastUndo(definition.property)) + CLOCK_SKEW_MS < plan.watermark;
};

/** Whether the rows of a file have the UUIDs of their people. */
const namesByUuid = (definition: ExportDefinition): boolean =>
  layoutOf(definition).fields.includes(UUID_FIELD);

/** Whether a time (epoch milliseconds) lies before that to which the table was restored: what followed it is unknown. */
export const isBeforeRestore = async (
  { exports }: Pick<BaseDeps, 'exports'>,
  property: number,
  time: number,
): Promise<boolean> => time <= (await exports.restored(property)) + CLOCK_SKEW_MS;

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
 * Whether a delivery of a file has succeeded. Otherwise nobody may have got it, once somebody in it was forgotten. Then its
 * changes must be in the next file too.
 */
const wasDelivered = async ({ exports }: BaseDeps, job: ExportJob): Promise<boolean> => {
  const [deliveries = []] = await exports.deliveries([job]);
  return deliveries.some(({ delivered }) => delivered !== null);
};

const CLOCK_SKEW_MS = limits.clockSkewSeconds * 1000;

/** Profiles stored at or after this time count as changed. It lies some time before the first read of the base. */
export const changedSince = (base: Pick<NonNullable<ExportPlan['base']>, 'watermark'> | null): number =>
  base === null ? 0 : base.watermark - limits.exports.deltaOverlapSeconds * 1000;
