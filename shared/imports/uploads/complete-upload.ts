/** `completeUpload`: assembles the parts of an uploaded file, for `POST uploads/{job_id}/complete`. */
import type { ApiAnswer, ApiRequest, UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { PartUploads } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { noBatches, progressOf, totalsOf } from '../jobs/job-progress.ts';
import { jobInPath } from '../repository/find-in-path.ts';
import type { ImportJob } from '../items/import-job.ts';
import type { ImportRepository } from '../repository/repository.ts';
import { jobView } from '../schemas/views.ts';
import { fileArrived, findPendingUpload, uploadGone } from './pending-upload.ts';
import { missingParts } from './upload-addresses.ts';
import { requestIdentityOf } from '../../table/idempotent-ids.ts';

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
