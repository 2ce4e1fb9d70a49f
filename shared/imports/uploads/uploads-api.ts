import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { requestCause } from '../../edge/request-cause.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { PartUploads } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { type AddressDeps, addressesOf, missingParts } from './addresses.ts';
import { jobView } from '../model/answers.ts';
import type { PendingUpload, ImportJob } from '../model/job.ts';
import { jobOf } from '../jobs/jobs-api.ts';
import { uploadKeyOf } from '../model/object-keys.ts';
import { progressOf, tallyBatches } from '../jobs/progress.ts';
import type { ImportRepository } from '../model/repository.ts';

type Request = ApiRequest<unknown, unknown>;
type Answer = Promise<Result<ApiAnswer, Problem>>;

/** `GET uploads/{job_id}`: new addresses for what is not there yet, so that a long upload goes on after an hour. */
export const getUpload = async (
  deps: AddressDeps & {
    readonly imports: ImportRepository;
    readonly parts: AddressDeps['parts'] & Pick<PartUploads, 'list'>;
  },
  request: Request,
): Answer => {
  const found = await awaitedUpload(deps.imports, request);
  if (!found.ok) return found;
  const { job, awaited, key } = found.value;
  const present = awaited.parts ? await deps.parts.list(key, awaited.parts.upload) : [];
  if (!present) return err(uploadGone);
  const addresses = await addressesOf(deps, key, awaited, request.now, present);
  return ok({ status: 200, body: { job_id: job.id, ...addresses } });
};

/**
 * `POST uploads/{job_id}/complete`: makes the file of its parts. That it is there then starts its job, as with a file that
 * came as a whole. Once the file has arrived, asking again is as good as asking once. A repeated request under one
 * `Idempotency-Key` need not wait for that: an upload that it was about to complete, and that is gone, is complete.
 */
export const completeUpload = async (
  {
    imports,
    parts,
  }: { readonly imports: ImportRepository; readonly parts: Pick<PartUploads, 'list' | 'complete'> },
  request: Request,
): Answer => {
  const found = await awaitedUpload(imports, request);
  if (!found.ok) return found.error === arrived ? jobAsItIs(imports, request) : found;
  const { job, awaited, key } = found.value;
  if (!awaited.parts) return err(problems.conflict('no_parts', 'The file is uploaded as a whole.'));
  const present = await parts.list(key, awaited.parts.upload);
  const cause = requestCause(request);
  if (!present) return (await imports.isCompletionNoted(cause)) ? answerOf(job) : err(uploadGone);
  const missing = missingParts(awaited, present);
  if (missing.length > 0) return err(partsMissing(missing.map(({ part }) => part)));
  await imports.noteCompletion(cause, job.id);
  return (await parts.complete(key, awaited.parts.upload, present)) ? answerOf(job) : err(uploadGone);
};

interface UploadInProgress {
  readonly job: ImportJob;
  readonly awaited: PendingUpload;
  readonly key: string;
}

/** The upload that the job of a path waits for. */
const awaitedUpload = async (
  imports: ImportRepository,
  request: Request,
): Promise<Result<UploadInProgress, Problem>> => {
  const job = await jobOf(imports, request);
  if (!job?.file?.awaited) return err(problems.notFound());
  if (job.phase === 'cancelled')
    return err(problems.conflict('job_closed', 'The job is cancelled and takes no file any more.'));
  if (job.phase !== 'awaiting') return err(arrived);
  const key = uploadKeyOf(job.property, job.import, job.id, job.file.name);
  return ok({ job, awaited: job.file.awaited, key });
};

const arrived = problems.conflict('uploaded', 'The file has arrived.');
const uploadGone = problems.conflict(
  'upload_gone',
  'There is no such upload under way any more: it was completed a moment ago, or left for days.',
);

const MISSING_SHOWN = 100;
const partsMissing = (numbers: readonly number[]): Problem =>
  problems.conflict(
    'parts_missing',
    `Of the parts ${numbers.length} are not there in their size, these first: ${numbers.slice(0, MISSING_SHOWN).join(', ')}.`,
  );

const jobAsItIs = async (imports: ImportRepository, request: Request): Answer => {
  const job = await jobOf(imports, request);
  return job ? answerOf(job) : err(problems.notFound());
};

/** The job as it is before any of its rows has been read. */
const answerOf = (job: ImportJob): Result<ApiAnswer, Problem> =>
  ok({ status: 200, body: jobView(job, progressOf(job, tallyBatches(job, []), false)) });
