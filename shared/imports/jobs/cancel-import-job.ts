import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems } from '../../http/problem.ts';
import { err, ok } from '../../runtime/result.ts';
import { jobView } from '../schemas/views.ts';
import { changeJob, existingJob } from '../repository/change-job.ts';
import type { ImportJob } from '../items/import-job.ts';
import { jobInPath } from '../repository/find-in-path.ts';
import { type ProgressDeps, readProgress } from './read-progress.ts';
import { canMove, moved } from '../items/transitions.ts';

/**
 * `POST cancel`: stops a job. Stored rows stay, and workers finish the batches that they have begun. The rows of all other
 * batches count as failed. A file job that has ended is not changed (409). A second cancellation has no effect.
 */
export const cancelImportJob: UseCase<ProgressDeps> = async (deps, request) => {
  const found = await jobInPath(deps.imports, request);
  if (!found) return err(notFound('importJob', request));
  const { property, id } = found;
  const seen = { ended: false };
  await changeJob(deps, { property, job: id }, async (job) => {
    seen.ended = job.undo !== null || (job.phase !== 'cancelled' && !(await isUnderWay(deps, job)));
    return canMove(job, 'cancel') && !seen.ended
      ? { ...moved('cancel'), ended: request.now, final: null }
      : undefined;
  });
  const job = await existingJob(deps.imports, property, id);
  if (seen.ended) return err(problems.conflict('job_ended', 'The job has ended.'));
  return ok({ status: 200, body: jobView(job, await readProgress(deps, job)) });
};

/** Whether a job has not ended. A job that accepts batches never ends by itself. */
const isUnderWay = async (deps: ProgressDeps, job: ImportJob): Promise<boolean> => {
  if (job.phase === 'open') return true;
  const { finished } = await readProgress(deps, job);
  return finished === null;
};
