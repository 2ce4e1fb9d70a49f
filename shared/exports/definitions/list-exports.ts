import { limits } from '../../config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import type { StatusListQuery } from '../../http/list-schemas.ts';
import { filterPage, fitPage, readPage, type Page } from '../../http/listing.ts';
import type { Problem } from '../../http/problem.ts';
import { ok, type Result } from '../../runtime/result.ts';
import { keys } from '../../table/keys.ts';
import {
  statusOf,
  viewWithJobs,
  withJobs,
  type DefinitionWithJobs,
  type DefinitionReadDeps,
} from './export-views.ts';

/**
 * `GET exports`: definitions in order of creation, the oldest first unless the query says otherwise, with an optional
 * status filter.
 */
export const listExports = async (
  deps: DefinitionReadDeps,
  { property, query, now }: ApiRequest<StatusListQuery, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const asked = { property: property.id, list: `/v1/${property.id}/exports`, query };
  const limit = query.limit ?? limits.http.listDefault;
  const page = await readPage(deps, { ...asked, query: { ...query, limit } });
  if (!page.ok) return page;
  const positionOf = ({ definition }: DefinitionWithJobs): string =>
    keys.exportDefinition(property.id, definition.export).sk;
  const found = await filterPage(
    page.value,
    async (wanted: Page) => {
      const read = await deps.exports.definitions(property.id, wanted);
      return { ...read, items: await withJobs(deps, read.items) };
    },
    {
      keep: query.status === undefined ? undefined : (item) => statusOf(item) === query.status,
      positionOf,
    },
  );
  const views = await Promise.all(found.items.map((item) => viewWithJobs(deps, item, now)));
  const { shown, next_page } = await fitPage(deps, asked, found, { views, positionOf });
  return ok({ status: 200, body: { exports: shown, paging: { next_page } } });
};
