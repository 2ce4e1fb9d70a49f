import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import type { Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { definitionInPath } from '../model/find-in-path.ts';
import type { ImportRepository } from '../model/repository.ts';
import { definitionView } from '../model/views.ts';

/** `GET imports/{import_id}`: returns one definition. */
export const getImport = async (
  { imports }: { readonly imports: ImportRepository },
  request: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const definition = await definitionInPath(imports, request);
  return definition
    ? ok({ status: 200, body: definitionView(definition) })
    : err(notFound('import', request));
};
