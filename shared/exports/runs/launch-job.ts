/** Launch job: stores a job with the definition that names it, and starts the execution of its workflow. */
import { newDelivery } from '../../deliveries/delivery-state.ts';
import type { Workflow } from '../../runtime/ports.ts';
import type { Table, Write } from '../../table/table.ts';
import { taskWrite } from '../../tasks/tasks.ts';
import {
  deliveryKinds,
  type DeliveryKind,
  type ExportDefinition,
  type ExportJob,
  type RunQueue,
} from '../model/items.ts';
import {
  freezeWrite,
  insertDelivery,
  insertJob,
  jobTask,
  type ExportRepository,
} from '../model/repository.ts';

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

/** A new job that waits for its turn. */
export const pendingJob = (
  definition: ExportDefinition,
  { job, created }: Pick<NewJob, 'job' | 'created'>,
): ExportJob => {
  const { property, export: id } = definition;
  return { ...newJob, property, export: id, job, run: runOf(definition, job), created };
};

/**
 * The number of the run of a job that the definition names: one write counts the run and names its job, so no two jobs
 * have one number.
 */
export const runOf = (
  {
    latest_job,
    current_job,
    runs,
    current_run,
  }: Pick<RunQueue, 'latest_job' | 'current_job' | 'runs' | 'current_run'>,
  job: number,
): number => {
  const run = job === latest_job ? runs : current_run;
  if (run === null || (job !== latest_job && job !== current_job))
    throw new Error('exports: the definition does not name the job');
  return run;
};

/**
 * The writes that store a new job, for the transaction by which its definition names it: the job, its task, and for a job
 * that begins at once its frozen definition and its deliveries. A job that waits gets these when it begins: until then a
 * client may replace the definition.
 */
export const jobWrites = async (
  table: Pick<Table, 'get'>,
  definition: ExportDefinition,
  { job, created }: Pick<NewJob, 'job' | 'created'>,
): Promise<readonly Write[]> => {
  const stored = [
    insertJob(pendingJob(definition, { job, created })),
    await taskWrite(table, jobTask({ ...definition, job }, created)),
  ];
  if (definition.current_job !== job) return stored;
  const deliveries = kindsOf(definition).map((kind) =>
    insertDelivery({ ...definition, job }, newDelivery(kind)),
  );
  return [...stored, freezeWrite(definition, job, created), ...deliveries];
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

/** Starts the execution of a job, which waits for the concurrency slot. Its name makes a second start harmless. */
export const startJob = async (
  { workflow }: Pick<LaunchDeps, 'workflow'>,
  { property, export: id }: Pick<ExportDefinition, 'property' | 'export'>,
  { job, execution = 0 }: Pick<NewJob, 'job' | 'execution'>,
): Promise<void> => {
  const name = `p${property}-export-${job}`;
  await workflow.start(execution === 0 ? name : `${name}-${execution}`, { property, export: id, job });
};

/**
 * Completes and starts a job that its definition names: a restore may bring back only a part of the transaction that stored
 * both, and release 0.2.0 wrote them one after the other. Idempotent.
 */
export const launchJob = async (
  deps: LaunchDeps,
  definition: ExportDefinition,
  { job, created, execution = 0 }: NewJob,
): Promise<ExportJob> => {
  if (definition.current_job === job) await beginJob(deps.exports, definition, job, created);
  const stored = pendingJob(definition, { job, created });
  await deps.exports.insertJob(stored);
  await startJob(deps, definition, { job, execution });
  return stored;
};

/** The kinds of deliveries that the jobs of a definition get. */
const kindsOf = ({
  destination,
  s3_destination,
  changes,
  webhook_url,
  notification_email,
}: ExportDefinition): readonly DeliveryKind[] => {
  const targets = {
    sftp: destination,
    s3: s3_destination,
    changes,
    webhook: webhook_url,
    email: notification_email,
  };
  return deliveryKinds.filter((kind) => targets[kind] !== null);
};
