import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import { definitionInPath } from '../repository/find-in-path.ts';
import type { ImportRepository } from '../repository/repository.ts';
import { definitionView } from '../schemas/views.ts';

/** `GET imports/{import_id}`: returns one definition. */
export const getImport: UseCase<{ readonly imports: ImportRepository }> = async ({ imports }, request) => {
  const definition = await definitionInPath(imports, request);
  return definition
    ? ok({ status: 200, body: definitionView(definition) })
    : err(notFound('import', request));
};
