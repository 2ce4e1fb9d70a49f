/** `undoImportJob`: begins to take back what a job brought, for `POST undo`. */
import { limits } from '../../config/limits.ts';
import { noCounts } from '../../ingest/undo-counts.ts';
import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { DAY_MS } from '../../runtime/clock.ts';
import type { Workflow } from '../../runtime/ports.ts';
import { err, ok } from '../../runtime/result.ts';
import { readProgress, type ProgressDeps } from '../jobs/read-progress.ts';
import { startUndo } from '../jobs/start-undo.ts';
import { changeJob, existingJob } from '../repository/change-job.ts';
import { jobInPath } from '../repository/find-in-path.ts';
import type { ImportJob, Undo } from '../items/import-job.ts';
import type { JobUpdate } from '../repository/stored-items.ts';
import { jobView } from '../schemas/views.ts';
import { addTask, type AddTaskDeps } from '../../tasks/tasks.ts';
import { jobTask } from '../jobs/import-tasks.ts';

export interface UndoJobDeps extends ProgressDeps, AddTaskDeps {
  readonly undos: Workflow;
}

/**
 * `POST undo`: marks a job that has ended as undone, and starts the workflow that takes its values back. From then on the
 * job takes no rows. A repeated request answers the same, and starts the workflow if the first request died before that.
 * 409 when the job has not ended or a row is still processing, when it stored nothing because it was a dry run, or when it
 * is too old.
 */
export const undoImportJob: UseCase<UndoJobDeps> = async (deps, request) => {
  const found = await jobInPath(deps.imports, request);
  if (!found) return err(notFound('importJob', request));
  const { property, id } = found;
  // A look at the job starts the workflow if this request dies.
  await addTask(deps, jobTask(property, id, request.now));
  const seen: { refusal?: Problem | undefined } = {};
  await changeJob(deps, { property, job: id }, async (job) => {
    const decided = await decide(deps, job, request.now);
    seen.refusal = decided.refusal;
    return decided.update;
  });
  if (seen.refusal) return err(seen.refusal);
  const job = await existingJob(deps.imports, property, id);
  await startUndo(deps.undos, job, request.now);
  return ok({ status: 202, body: jobView(job, await readProgress(deps, job)) });
};

interface Decision {
  readonly update?: JobUpdate | undefined;
  readonly refusal?: Problem;
}

const decide = async (deps: ProgressDeps, job: ImportJob, now: number): Promise<Decision> => {
  if (job.undo) return {};
  if (job.dryRun) return { refusal: dryRun };
  const progress = await readProgress(deps, job);
  // Workers still have batches of a failed job. The counts could change after the undo, and its announcement waits for them.
  if (progress.finished === null || progress.processing > 0) return { refusal: notEnded };
  if (now - (progress.started ?? job.created) > UNDO_MS) return { refusal: tooOld };
  return { update: { undo: newUndo(now) } };
};

const UNDO_MS = limits.imports.undoDays * DAY_MS;

/** An undo that was asked for and has not begun. `now`: epoch milliseconds. */
export const newUndo = (now: number): Undo => ({
  ...{ started: now, begun: null, log: null, next: 0, passed: null, looked: 0, finished: null },
  segments: { removed: 0 },
  ...noCounts,
});

const notEnded = problems.conflict(
  'job_running',
  'The job has not ended, or workers still store rows of it. Cancel it, or wait until none is processing.',
);
const dryRun = problems.conflict('dry_run', 'The job was a dry run and stored nothing.');
const tooOld = problems.conflict(
  'too_old',
  `The first row of the job was accepted more than ${limits.imports.undoDays} days ago.`,
);
