/** `createUpload`: creates a job and pre-signed addresses for its file, for `POST uploads`. */
import { limits } from '../../config/limits.ts';
import type { ApiRequest, UseCase, NoQuery } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type ProblemError } from '../../http/problem.ts';
import type { PartUploads } from '../../runtime/ports.ts';
import { err, ok } from '../../runtime/result.ts';
import { type AddressDeps, addressesOf } from './upload-addresses.ts';
import { globMatches } from '../files/file-glob.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { PendingUpload, ImportJob } from '../items/import-job.ts';
import { definitionInPath } from '../repository/find-in-path.ts';
import { uploadKeyOf } from '../items/object-keys.ts';
import type { ImportRepository } from '../repository/repository.ts';
import type { NewJob } from '../repository/stored-items.ts';
import type { UploadBody } from '../schemas/upload-schemas.ts';
import { requestIdentityOf } from '../../table/idempotent-ids.ts';

export interface UploadDeps {
  readonly imports: ImportRepository;
  readonly uploads: AddressDeps['uploads'];
  readonly parts: AddressDeps['parts'] & Pick<PartUploads, 'begin'>;
}

/**
 * `POST uploads`: creates a job that waits for its file, and returns the address for the upload or the addresses of its
 * parts. A repeated request with the same `Idempotency-Key` returns new addresses for the upload of the first request.
 */
export const createUpload: UseCase<UploadDeps, NoQuery, UploadBody> = async (deps, request) => {
  const { imports } = deps;
  const definition = await definitionInPath(imports, request);
  if (!definition) return err(notFound('import', request));
  const { file_name: fileName } = request.body;
  if (definition.file_match_rule !== null && !globMatches(definition.file_match_rule, fileName))
    return err(problems.invalid([notMatched]));
  const property = request.property.id;
  const id = await imports.idOf(requestIdentityOf(request), 'import-job');
  const earlier = request.keyed === true ? await imports.job(property, id) : undefined;
  // The first try may have crashed before it added the job to the list.
  if (earlier) await imports.addJob(earlier);
  const job = earlier ?? (await beginUpload(deps, request, definition, id));
  const { awaited } = job.file ?? {};
  if (!awaited) throw new Error('import: the job of an upload waits for no file');
  const key = uploadKeyOf(property, definition.id, id, fileName);
  return ok({
    status: 201,
    body: { job_id: id, ...(await addressesOf(deps, key, awaited, request.now)) },
  });
};

/** Creates the job of an upload, unless an earlier try has created it. Returns the stored job. */
const beginUpload = async (
  { imports, parts }: UploadDeps,
  request: ApiRequest<unknown, UploadBody>,
  definition: ImportDefinition,
  id: number,
): Promise<Pick<ImportJob, 'file'>> => {
  const property = request.property.id;
  const { file_name: fileName, size } = request.body;
  const { onePutBytes, partBytes } = limits.imports;
  const key = uploadKeyOf(property, definition.id, id, fileName);
  const awaited: PendingUpload = {
    size,
    parts: size > onePutBytes ? { upload: await parts.begin(key), bytes: partBytes } : null,
  };
  const job: NewJob = {
    id,
    property,
    import: definition.id,
    revision: definition.revision,
    name: fileName,
    created: request.now,
    dryRun: request.body.dry_run === true || definition.test_mode,
    phase: 'awaiting',
    file: { name: fileName, object: null, awaited },
  };
  await imports.addJob(job);
  return (request.keyed === true ? await imports.job(property, id) : undefined) ?? job;
};

const notMatched: ProblemError = {
  pointer: '/file_name',
  code: 'not_matched',
  detail: "Does not match the definition's file_match_rule.",
};
