/** Pending upload: new addresses for an upload that is not complete, and its completion, which assembles the parts. */
import type { ApiRequest, UseCase, ApiAnswer } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { jobInPath } from '../repository/find-in-path.ts';
import type { ImportJob, PendingUpload } from '../items/import-job.ts';
import { uploadKeyOf } from '../items/object-keys.ts';
import type { ImportRepository } from '../repository/repository.ts';
import type { PartUploads } from '../../runtime/ports.ts';
import { type AddressDeps, addressesOf, missingParts } from './upload-addresses.ts';
import { noBatches, progressOf, totalsOf } from '../jobs/job-progress.ts';
import { jobView } from '../schemas/views.ts';
import { requestIdentityOf } from '../../table/idempotent-ids.ts';

/** A job that waits for its file. */
interface UploadInProgress {
  readonly job: ImportJob;
  readonly awaited: PendingUpload;
  /** Key of the file in the bucket of uploads. */
  readonly key: string;
}

/** Finds the upload of the job in the path of a request. Fails with 404 or 409 when the job waits for no file. */
const findPendingUpload = async (
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
const fileArrived = problems.conflict('uploaded', 'The file has arrived.');

/** The problem of a multipart upload that S3 no longer knows. */
const uploadGone = problems.conflict(
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

/**
 * `POST uploads/{job_id}/complete`: assembles the file from its parts. The event of the new object then starts the job,
 * as it does for a file that was uploaded as a whole. After the file has arrived, a second request succeeds without
 * effect.
 *
 * A repeated request with the same `Idempotency-Key` may come before that event. The first request stored its key
 * before it completed the upload, so an upload that no longer exists counts as complete for that key.
 */
export const completeUpload: UseCase<{
  readonly imports: ImportRepository;
  readonly parts: Pick<PartUploads, 'list' | 'complete'>;
}> = async ({ imports, parts }, request) => {
  const found = await findPendingUpload(imports, request);
  if (!found.ok) return found.error === fileArrived ? presentJob(imports, request) : found;
  const { job, awaited, key } = found.value;
  if (!awaited.parts) return err(problems.conflict('no_parts', 'The file is uploaded as a whole.'));
  const present = await parts.list(key, awaited.parts.upload);
  const requestIdentity = requestIdentityOf(request);
  if (!present) return (await imports.isCompletionNoted(requestIdentity)) ? accepted(job) : err(uploadGone);
  const missing = missingParts(awaited, present);
  if (missing.length > 0) return err(partsMissing(missing.map(({ part }) => part)));
  await imports.noteCompletion(requestIdentity, job.id);
  return (await parts.complete(key, awaited.parts.upload, present)) ? accepted(job) : err(uploadGone);
};

/** Number of missing parts that the problem lists. */
const MISSING_SHOWN = 100;
const partsMissing = (numbers: readonly number[]): Problem =>
  problems.conflict(
    'parts_missing',
    `${numbers.length} parts are missing or have the wrong size, first these: ${numbers.slice(0, MISSING_SHOWN).join(', ')}.`,
  );

const presentJob = async (
  imports: ImportRepository,
  request: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const job = await jobInPath(imports, request);
  return job ? accepted(job) : err(notFound('importJob', request));
};

/** The job before any of its rows has been read. */
const accepted = (job: ImportJob): Result<ApiAnswer, Problem> =>
  ok({ status: 200, body: jobView(job, progressOf(job, totalsOf(job, noBatches), false)) });
