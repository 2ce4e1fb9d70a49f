/** Launch job: stores a job that its definition names, and starts the execution of its workflow. */
import type { Workflow } from '../../runtime/ports.ts';
import { newDelivery } from '../../deliveries/delivery-state.ts';
import { kindsOf } from '../delivery/delivery-kinds.ts';
import type { ExportDefinition, ExportJob } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { runOf } from './run-queue.ts';

export interface LaunchDeps {
  readonly exports: ExportRepository;
  readonly workflow: Workflow;
}

/** A job to be stored, and the time of its request (epoch milliseconds). */
export interface NewJob {
  readonly job: number;
  readonly created: number;
  /** 0, plus 1 for each execution that has certainly ended while the job still waits. */
  readonly execution?: number;
}

const newJob = {
  status: 'pending',
  started: null,
  finished: null,
  plan: null,
  skipped: null,
  file: null,
  error: null,
} as const;

/**
 * Stores a new pending job that its definition names; a second insert changes nothing. The frozen definition and the deliveries follow when the
 * job begins: until then a client may replace the definition.
 */
export const insertPendingJob = async (
  exports: ExportRepository,
  definition: ExportDefinition,
  { job, created }: Pick<NewJob, 'job' | 'created'>,
): Promise<ExportJob> => {
  const { property, export: id } = definition;
  const stored: ExportJob = { ...newJob, property, export: id, job, run: runOf(definition, job), created };
  await exports.insertJob(stored);
  return stored;
};

/** Freezes the definition that a job works by, and stores the deliveries of the job. Idempotent. */
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
 * Stores a job that its definition already names, and starts its execution, which waits for the concurrency slot.
 * Idempotent: the name of an execution makes a second start harmless.
 */
export const launchJob = async (
  { exports, workflow }: LaunchDeps,
  definition: ExportDefinition,
  { job, created, execution = 0 }: NewJob,
): Promise<ExportJob> => {
  const { property, export: id } = definition;
  if (definition.current_job === job) await beginJob(exports, definition, job, created);
  const stored = await insertPendingJob(exports, definition, { job, created });
  const name = `p${property}-export-${job}`;
  await workflow.start(execution === 0 ? name : `${name}-${execution}`, { property, export: id, job });
  return stored;
};
