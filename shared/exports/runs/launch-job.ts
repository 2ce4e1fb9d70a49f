import type { Workflow } from '../../runtime/ports.ts';
import { kindsOf, newDelivery } from '../delivery/deliveries.ts';
import type { ExportDefinition, ExportJob, JobRef } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';

/** What starting jobs needs. */
export interface StartDeps {
  readonly exports: ExportRepository;
  readonly workflow: Workflow;
}

/** A job that is to be, and when it was asked for (epoch milliseconds). */
export interface NewJob {
  readonly job: number;
  readonly created: number;
  /** 0, and one more for each execution that is certainly over while the job still waits. */
  readonly execution?: number;
}

/**
 * Stores a new job, pending. Inserting it again changes nothing. The definition that it works by, and how its deliveries
 * stand, come when it begins: until then its definition may be replaced.
 */
export const insertPendingJob = async (
  exports: ExportRepository,
  ref: JobRef,
  created: number,
): Promise<ExportJob> => {
  const { property, export: id, job } = ref;
  const stored: ExportJob = { ...newJob, property, export: id, job, created };
  await exports.insertJob(stored);
  return stored;
};

/**
 * Freezes the definition that a job works by at a time (epoch milliseconds), and stores how its deliveries stand. Done again,
 * it changes nothing.
 */
export const beginJob = async (
  exports: ExportRepository,
  current: ExportDefinition,
  job: number,
  now: number,
): Promise<ExportDefinition> => {
  const definition = await exports.freezeDefinition(current, job, now);
  for (const kind of kindsOf(definition))
    await exports.insertDelivery({ ...definition, job }, newDelivery(kind));
  return definition;
};

/**
 * Stores a job that its definition names already and starts its execution, which waits for its turn. Done again, it changes
 * nothing: the name of an execution makes a second start harmless.
 */
export const launchJob = async (
  { exports, workflow }: StartDeps,
  definition: ExportDefinition,
  { job, created, execution = 0 }: NewJob,
): Promise<ExportJob> => {
  const { property, export: id } = definition;
  if (definition.current_job === job) await beginJob(exports, definition, job, created);
  const stored = await insertPendingJob(exports, { property, export: id, job }, created);
  const name = `p${property}-export-${job}`;
  await workflow.start(execution === 0 ? name : `${name}-${execution}`, { property, export: id, job });
  return stored;
};

const newJob = {
  status: 'pending',
  started: null,
  finished: null,
  plan: null,
  skipped: null,
  file: null,
  error: null,
} as const;
