import { hasInName } from '../../catalogue/name-filter.ts';
import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import type { NamedListQuery } from '../../http/list-schemas.ts';
import { filterPage, linkTo, type ListDeps, type Page, readPage } from '../../http/listing.ts';
import type { Problem } from '../../http/problem.ts';
import { ok, type Result } from '../../runtime/result.ts';
import { keys } from '../../table/keys.ts';
import type { ImportRepository } from '../model/repository.ts';
import { definitionView } from '../model/views.ts';

/**
 * `GET imports`: returns one page of definitions in order of creation, oldest first by default. The query can restrict the
 * list to names that contain a text.
 */
export const listImports = async (
  deps: ListDeps & { readonly imports: ImportRepository },
  { property, query }: ApiRequest<NamedListQuery, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const list = `/v1/${property.id}/imports`;
  const page = await readPage(deps, { property: property.id, list, query });
  if (!page.ok) return page;
  const { items, next } = await filterPage(
    page.value,
    (request: Page) => deps.imports.definitions(property.id, request),
    { keep: hasInName(query.name), positionOf: ({ id }) => keys.importDefinition(property.id, id).sk },
  );
  const next_page = await linkTo(deps, { property: property.id, list, query, next });
  return ok({ status: 200, body: { imports: items.map(definitionView), paging: { next_page } } });
};
