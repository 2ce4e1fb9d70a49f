import { limits } from '../../lib/config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { problems, type Problem } from '../http/problem.ts';
import { isoTime } from '../runtime/clock.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { globMatches } from './glob.ts';
import { definitionOf } from './jobs-api.ts';
import { uploadKeyOf } from './object-keys.ts';
import type { ImportRepository } from './repository.ts';
import type { UploadBody } from './schemas.ts';

export interface UploadDeps {
  readonly imports: ImportRepository;
  readonly uploads: Pick<ObjectStore, 'presignPut'>;
}

/** `POST uploads`: makes a job that waits for its file, and the address to put the file to. */
export const createUpload = async (
  { imports, uploads }: UploadDeps,
  request: ApiRequest<unknown, UploadBody>,
): Promise<Result<ApiAnswer, Problem>> => {
  const definition = await definitionOf(imports, request);
  if (!definition) return err(problems.notFound());
  const { file_name: fileName, size } = request.body;
  if (definition.file_match_rule !== null && !globMatches(definition.file_match_rule, fileName))
    return err(problems.invalid([notMatched]));
  const property = request.property.id;
  const id = await imports.nextId(property, 'import-job');
  const key = uploadKeyOf(property, definition.id, id, fileName);
  const { uploadSeconds: seconds } = limits.imports;
  const { url, headers } = await uploads.presignPut(key, { seconds, size });
  await imports.addJob({
    id,
    property,
    import: definition.id,
    name: fileName,
    created: request.now,
    phase: 'awaiting',
    file: { name: fileName, object: null },
  });
  const expires_at = isoTime(request.now + seconds * 1000);
  return ok({ status: 201, body: { job_id: id, url, headers, expires_at } });
};

const notMatched = {
  pointer: '/file_name',
  code: 'not_matched',
  detail: "Does not match the definition's file_match_rule.",
};
