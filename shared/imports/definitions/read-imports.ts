import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import { definitionInPath } from '../repository/find-in-path.ts';
import type { ImportRepository } from '../repository/repository.ts';
import { definitionView } from '../schemas/views.ts';
import { hasInName } from '../../catalogue/name-filter.ts';
import type { NamedListQuery } from '../../http/list-schemas.ts';
import { answerList, type ListDeps } from '../../http/listing.ts';
import { keys } from '../../table/keys.ts';

/** `GET imports/{import_id}`: returns one definition. */
export const getImport: UseCase<{ readonly imports: ImportRepository }> = async ({ imports }, request) => {
  const definition = await definitionInPath(imports, request);
  return definition
    ? ok({ status: 200, body: definitionView(definition) })
    : err(notFound('import', request));
};

/**
 * `GET imports`: returns one page of definitions in order of creation, oldest first by default. The query can restrict the
 * list to names that contain a text.
 */
export const listImports: UseCase<ListDeps & { readonly imports: ImportRepository }, NamedListQuery> = async (
  deps,
  request,
) => {
  const { property, query } = request;
  return answerList(deps, request, 'imports', {
    path: `/v1/${property.id}/imports`,
    read: (page) => deps.imports.definitions(property.id, page),
    keep: hasInName(query.name),
    positionOf: ({ id }) => keys.importDefinition(property.id, id).sk,
    views: (definitions) => definitions.map(definitionView),
  });
};
