import type { ApiRequest } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { jobInPath } from '../repository/find-in-path.ts';
import type { ImportJob, PendingUpload } from '../items/import-job.ts';
import { uploadKeyOf } from '../items/object-keys.ts';
import type { ImportRepository } from '../repository/repository.ts';

/** A job that waits for its file. */
interface UploadInProgress {
  readonly job: ImportJob;
  readonly awaited: PendingUpload;
  /** Key of the file in the bucket of uploads. */
  readonly key: string;
}

/** Finds the upload of the job in the path of a request. Fails with 404 or 409 when the job waits for no file. */
export const findPendingUpload = async (
  imports: ImportRepository,
  request: ApiRequest<unknown, unknown>,
): Promise<Result<UploadInProgress, Problem>> => {
  const job = await jobInPath(imports, request);
  if (!job?.file?.awaited) return err(notFound('importJob', request));
  if (job.phase === 'cancelled')
    return err(problems.conflict('job_closed', 'The job is cancelled and accepts no file.'));
  if (job.phase !== 'awaiting') return err(fileArrived);
  const key = uploadKeyOf(job.property, job.import, job.id, job.file.name);
  return ok({ job, awaited: job.file.awaited, key });
};

/** The problem of a job whose file is already there. */
export const fileArrived = problems.conflict('uploaded', 'The file has arrived.');

/** The problem of a multipart upload that S3 no longer knows. */
export const uploadGone = problems.conflict(
  'upload_gone',
  'The upload no longer exists: it was completed a moment ago, or it was left incomplete for days.',
);
