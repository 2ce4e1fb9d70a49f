/** Accepted batch: what a client is told about rows that it sent to a job. */
import type { ApiAnswer } from '../../http/api-types.ts';
import { problems } from '../../http/problem.ts';
import { ok, type Result } from '../../runtime/result.ts';
import type { Batch } from '../items/batch.ts';
import type { ImportJob } from '../items/import-job.ts';
import type { ImportRepository } from '../repository/repository.ts';
import { jobView } from '../schemas/views.ts';
import { progressOf } from './job-progress.ts';
import { readTotals } from './read-progress.ts';

/** The answer to an accepted batch, with the progress of its job from the batches alone, without the barrier. */
export const acceptedBatch = async (
  imports: ImportRepository,
  job: ImportJob,
  { uuid: batch_job_uuid, name, skipAppends: skip_appends }: Pick<Batch, 'uuid' | 'name' | 'skipAppends'>,
): Promise<Result<ApiAnswer, never>> => {
  const progress = progressOf(job, await readTotals(imports, job), false);
  const import_job = jobView(job, { ...progress, status: 'ingestion-complete' });
  return ok({ status: 202, body: { batch_job_uuid, import_job, name, skip_appends } });
};

/** The refusal of rows for an undone job. */
export const undoneJob = problems.conflict('job_undone', 'The job was undone and accepts no rows.');
