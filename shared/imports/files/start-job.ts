/** Start job: creates the job of a file once, attaches the file to it, and starts its workflow. */
import type { Clock } from '../../runtime/clock.ts';
import type { Workflow } from '../../runtime/ports.ts';
import { changeJob, type ChangeDeps } from '../repository/change-job.ts';
import type { JobReference } from '../items/job-messages.ts';
import { canMove, moved } from '../items/transitions.ts';
import { addTask, type AddTaskDeps } from '../../tasks/tasks.ts';
import { jobTask } from '../jobs/import-tasks.ts';
import type { AcceptedFile, IgnoreReason } from './file-events.ts';
import { claimVersion, markStarted, type ClaimDeps } from './file-claims.ts';

export interface StartDeps extends ChangeDeps {
  readonly table: ClaimDeps['table'] & AddTaskDeps['table'];
  readonly workflow: Workflow;
  readonly clock: Clock;
  /** Logs a file that starts no job, with the import in whose directory it lies. */
  readonly ignored: (why: IgnoreReason, where?: ImportPlace) => void;
}

/** A property, and the number of an import in it. Both come from the name of a file, so there may be no such import. */
export interface ImportPlace {
  readonly property: number;
  readonly import: number;
}

/** Starts the job of a file from SFTP, unless this version has started it. Returns the job. */
export const startJobOnce = async (deps: StartDeps, file: AcceptedFile): Promise<JobReference> => {
  const { property, import: importId, revision, name, dryRun } = file;
  const id = await claimVersion(deps, file);
  await deps.imports.addJob({
    ...{ id, property, import: importId, revision, name, created: deps.clock(), dryRun },
    phase: 'awaiting',
    file: { name, object: null },
  });
  await attachFile(deps, { property, job: id }, file);
  const reference = { property, import: importId, job: id };
  await startWorkflow(deps, reference);
  await markStarted(deps, { property, key: file.object.key, etag: file.object.etag });
  return reference;
};

/** Starts the workflow of a job. A second start of the same job does nothing. */
export const startWorkflow = async ({ workflow }: StartDeps, reference: JobReference): Promise<void> =>
  workflow.start(`p${reference.property}-import-${reference.job}`, { ...reference });

/**
 * Attaches this version of a file to the job that waits for it, and sets the time of acceptance. `false` when another
 * version is attached to the job.
 */
export const attachFile = async (
  deps: StartDeps,
  reference: { readonly property: number; readonly job: number },
  { object, arrived }: Pick<AcceptedFile, 'object' | 'arrived'>,
): Promise<boolean> => {
  const { clock } = deps;
  const seen = await changeJob(deps, reference, async (job) => {
    if (!job.file || job.file.object) return undefined;
    const now = clock();
    await addTask(deps, jobTask(job.property, job.id, now));
    const file = { ...job.file, object };
    if (!canMove(job, 'start')) return { file };
    return { ...moved('start'), arrived: arrivalOf(arrived, reference.job, now), started: now, file };
  });
  return !seen.file?.object || seen.file.object.etag === object.etag;
};

/** S3 rounds the time of an event down to a second. The file counts as arrived near the end of that second. */
const LATE_IN_SECOND_MS = 900;

/** The job id separates files of one second, so that all rows of one file are older than all rows of another file. */
const FILES_PER_SECOND = 100;

/**
 * The time of acceptance of a file (epoch milliseconds): its arrival, and not the start of its job (`now`), which may
 * be much later. So the newer of two files wins, in whichever order their jobs start.
 */
const arrivalOf = (arrived: string, job: number, now: number): number => {
  const time = Date.parse(arrived);
  const isWhole = !arrived.includes('.');
  return Math.min(now, isWhole ? time + LATE_IN_SECOND_MS + (job % FILES_PER_SECOND) : time);
};
