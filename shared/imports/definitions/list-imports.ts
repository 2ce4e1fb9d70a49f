import { hasInName } from '../../catalogue/name-filter.ts';
import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import type { NamedListQuery } from '../../http/list-schemas.ts';
import { filterPage, fitPage, type ListDeps, type Page, readPage } from '../../http/listing.ts';
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
  const asked = { property: property.id, list, query };
  const page = await readPage(deps, asked);
  if (!page.ok) return page;
  const positionOf = ({ id }: { readonly id: number }): string => keys.importDefinition(property.id, id).sk;
  const found = await filterPage(
    page.value,
    (request: Page) => deps.imports.definitions(property.id, request),
    { keep: hasInName(query.name), positionOf },
  );
  const views = found.items.map(definitionView);
  const { shown, next_page } = await fitPage(deps, asked, found, { views, positionOf });
  return ok({ status: 200, body: { imports: shown, paging: { next_page } } });
};
