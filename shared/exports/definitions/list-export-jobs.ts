import { limits } from '../../config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import type { StatusListQuery } from '../../http/list-schemas.ts';
import { filterPage, fitPage, readPage, type Page } from '../../http/listing.ts';
import { notFound } from '../../http/not-found.ts';
import type { Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { keys } from '../../table/keys.ts';
import { requestedDefinition } from '../model/requested-items.ts';
import { readJobView, type ReadDeps } from './export-views.ts';

/** `GET exports/{export_id}/jobs`: the newest first unless the query says otherwise, with an optional status filter. */
export const listExportJobs = async (
  deps: ReadDeps,
  request: ApiRequest<StatusListQuery, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const { property, query, now } = request;
  const seen = await requestedDefinition(deps.exports, request);
  if (!seen) return err(notFound('export', request));
  const { export: id } = seen.value;
  const asked = { property: property.id, list: `/v1/${property.id}/exports/${id}/jobs`, query };
  const limit = query.limit ?? limits.http.listDefault;
  const page = await readPage(deps, { ...asked, query: { ...query, limit } }, 'newest');
  if (!page.ok) return page;
  const positionOf = ({ job }: { readonly job: number }): string => keys.exportJob(property.id, id, job).sk;
  const found = await filterPage(page.value, (wanted: Page) => deps.exports.jobs(property.id, id, wanted), {
    keep: query.status === undefined ? undefined : ({ status }) => status === query.status,
    positionOf,
  });
  const deliveries = await deps.exports.deliveries(found.items);
  const views = await Promise.all(
    found.items.map((job, index) => readJobView(deps, job, deliveries[index] ?? [], now)),
  );
  const { shown, next_page } = await fitPage(deps, asked, found, { views, positionOf });
  return ok({ status: 200, body: { jobs: shown, paging: { next_page } } });
};
