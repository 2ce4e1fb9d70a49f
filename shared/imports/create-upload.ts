import { limits } from '../../lib/config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { problems, type Problem } from '../http/problem.ts';
import type { PartUploads } from '../runtime/ports.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { type AddressDeps, addressesOf } from './addresses.ts';
import { globMatches } from './glob.ts';
import type { AwaitedUpload } from './job.ts';
import { definitionOf } from './jobs-api.ts';
import { uploadKeyOf } from './object-keys.ts';
import type { ImportRepository } from './repository.ts';
import type { UploadBody } from './schemas.ts';

export interface UploadDeps {
  readonly imports: ImportRepository;
  readonly uploads: AddressDeps['uploads'];
  readonly parts: AddressDeps['parts'] & Pick<PartUploads, 'begin'>;
}

/** `POST uploads`: makes a job that waits for its file, and the address to put the file to, or those of its parts. */
export const createUpload = async (
  deps: UploadDeps,
  request: ApiRequest<unknown, UploadBody>,
): Promise<Result<ApiAnswer, Problem>> => {
  const { imports, parts } = deps;
  const definition = await definitionOf(imports, request);
  if (!definition) return err(problems.notFound());
  const { file_name: fileName, size } = request.body;
  if (definition.file_match_rule !== null && !globMatches(definition.file_match_rule, fileName))
    return err(problems.invalid([notMatched]));
  const property = request.property.id;
  const id = await imports.nextId(property, 'import-job');
  const { onePutBytes, partBytes } = limits.imports;
  const key = uploadKeyOf(property, definition.id, id, fileName);
  const awaited: AwaitedUpload = {
    size,
    parts: size > onePutBytes ? { upload: await parts.begin(key), bytes: partBytes } : null,
  };
  await imports.addJob({
    id,
    property,
    import: definition.id,
    revision: definition.revision,
    name: fileName,
    created: request.now,
    phase: 'awaiting',
    file: { name: fileName, object: null, awaited },
  });
  const addresses = await addressesOf(deps, key, awaited, request.now);
  return ok({ status: 201, body: { job_id: id, ...addresses } });
};

const notMatched = {
  pointer: '/file_name',
  code: 'not_matched',
  detail: "Does not match the definition's file_match_rule.",
};
