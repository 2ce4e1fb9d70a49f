import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { requestIdentityOf } from '../../edge/request-identity.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { importPrefix } from '../../sftp/paths.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import type { ImportRepository } from '../model/repository.ts';
import type { ImportBody } from '../model/schemas.ts';
import { definitionView } from '../model/views.ts';
import { checkMapping } from './definition-rules.ts';

/**
 * `POST imports`: creates a definition. The SFTP directory is created first, because a directory without a definition
 * does no harm. A repeated request with the same `Idempotency-Key` returns the definition of the first request.
 */
export const createImport = async (
  { imports, uploads }: { readonly imports: ImportRepository; readonly uploads: Pick<ObjectStore, 'put'> },
  request: ApiRequest<unknown, ImportBody>,
): Promise<Result<ApiAnswer, Problem>> => {
  const { property, body, now } = request;
  const mapping = checkMapping(body);
  if (!mapping.ok) return err(problems.invalid(mapping.error));
  const definition: ImportDefinition = {
    ...body,
    id: await imports.idOf(requestIdentityOf(request), 'import'),
    property: property.id,
    account: property.account,
    mapping_fields: mapping.value,
    granted_tier: null,
    created: now,
    revision: 0,
  };
  await uploads.put(importPrefix(property.account, property.id, definition.id), '');
  return ok({ status: 201, body: definitionView(await imports.addDefinition(definition)) });
};
