import type { ApiRequest, UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { jobInPath } from '../repository/find-in-path.ts';
import type { ImportJob, PendingUpload } from '../items/import-job.ts';
import { uploadKeyOf } from '../items/object-keys.ts';
import type { ImportRepository } from '../repository/repository.ts';
import type { PartUploads } from '../../runtime/ports.ts';
import { type AddressDeps, addressesOf } from './upload-addresses.ts';

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

/** `GET uploads/{job_id}`: returns new addresses for the missing parts, so that an upload can take longer than an hour. */
export const getUpload: UseCase<
  AddressDeps & {
    readonly imports: ImportRepository;
    readonly parts: AddressDeps['parts'] & Pick<PartUploads, 'list'>;
  }
> = async (deps, request) => {
  const found = await findPendingUpload(deps.imports, request);
  if (!found.ok) return found;
  const { job, awaited, key } = found.value;
  const present = awaited.parts ? await deps.parts.list(key, awaited.parts.upload) : [];
  if (!present) return err(uploadGone);
  const addresses = await addressesOf(deps, key, awaited, request.now, present);
  return ok({ status: 200, body: { job_id: job.id, ...addresses } });
};
