import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems } from '../../http/problem.ts';
import { err, ok } from '../../runtime/result.ts';
import { acknowledgeJob } from '../model/acknowledge-job.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestedJob } from '../model/requested-items.ts';
import { cancelJob, type CancelDeps } from './cancel-job.ts';

export interface CancelExportJobDeps extends CancelDeps {
  readonly exports: ExportRepository;
}

/**
 * `POST exports/{export_id}/jobs/{job_id}/cancel`: the steps of the job find it cancelled and stop; the job gets no
 * file and no delivery. A repeated call changes nothing; 409 for a job that is complete or failed.
 */
export const cancelExportJob: UseCase<CancelExportJobDeps> = async (deps, request) => {
  const seen = await requestedJob(deps.exports, request);
  const job = seen && (await cancelJob(deps, seen.value));
  if (!job) return err(notFound('exportJob', request));
  if (job.status !== 'cancelled') return err(problems.conflict('job_ended', 'The job has ended already.'));
  return ok({ status: 200, body: await acknowledgeJob(deps, job) });
};
