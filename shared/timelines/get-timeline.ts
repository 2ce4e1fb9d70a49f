import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import type { ListQuery } from '../http/list-schemas.ts';
import { fitPage, readPage, type ListDeps } from '../http/listing.ts';
import { notFound } from '../http/not-found.ts';
import type { Problem } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { keys } from '../table/keys.ts';
import { countMoments, type CountDeps } from './count-moments.ts';
import { timelinesPath } from './list-timelines.ts';
import { momentsFrom, readTimeline } from './read-items.ts';
import type { Moment } from './timeline-items.ts';
import { momentView, timelineFactsView } from './views.ts';

/** `GET timelines/{timeline_id}`: the timeline with a page of its moments, from the first on, and their counts. */
export const getTimeline = async (
  deps: CountDeps & ListDeps,
  { property, path, query }: ApiRequest<ListQuery, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const id = Number(path['timeline_id']);
  const timeline = await readTimeline(deps.table, property.id, id);
  if (!timeline) return err(notFound('timeline', { property, path }));
  const asked = { property: property.id, list: `${timelinesPath(property.id)}/${id}`, query };
  const page = await readPage(deps, asked);
  if (!page.ok) return page;
  const { moments, next } = await momentsFrom(deps.table, property.id, timeline, page.value);
  // A request counts as many moments as its time allows.
  const counts = await countMoments(deps, property.id, moments);
  const positionOf = ({ segment }: Moment): string => keys.timelineMoment(property.id, id, segment).sk;
  const counted = moments.slice(0, counts.length);
  const last = counted.at(-1);
  const views = counted.map((moment, index) => ({
    ...momentView(deps.baseUrl, property.id, moment),
    ...counts[index],
  }));
  const { shown, next_page } = await fitPage(
    deps,
    asked,
    { items: counted, next: last && counted.length < moments.length ? positionOf(last) : next },
    { views, positionOf },
  );
  return ok({ status: 200, body: { ...timelineFactsView(timeline), moments: shown, paging: { next_page } } });
};
