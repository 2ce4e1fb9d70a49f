/** List timelines: pages through the timelines of a property, for `GET timelines`. */
import { hasInName } from '../catalogue/name-filter.ts';
import { limits } from '../config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { bytesInAnswer } from '../http/fitting.ts';
import { filterPage, fitPage, readPage, type ListDeps, type Page } from '../http/listing.ts';
import type { Problem } from '../http/problem.ts';
import { isLive } from '../references/lifecycle.ts';
import { ok, type Result } from '../runtime/result.ts';
import { workBudget } from '../runtime/work-budget.ts';
import { keys } from '../table/keys.ts';
import type { CountDeps } from './count-moments.ts';
import { newestMoments } from './read-items.ts';
import type { TimelinesQuery } from './schemas.ts';
import { parseTimeline, type Timeline } from './timeline-items.ts';
import { timelineView } from './views.ts';

const { momentsPerTimelineInList } = limits.timelines;

/** Path of the timelines of a property, below the address of the service. */
export const timelinesPath = (property: number): string => `/v2/properties/${property}/timelines`;

/** Timelines whose moments are read at once. */
const AT_ONCE = 10;

/**
 * `GET timelines`: a bare array in pages, with the next page in `Link`; in order of creation, the oldest first unless
 * the query says otherwise, with optional filters by name and tracked segment. Each timeline has its newest moments,
 * the oldest of them first.
 */
export const listTimelines = async (
  deps: CountDeps & ListDeps,
  { property, query }: ApiRequest<TimelinesQuery, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const asked = { property: property.id, list: timelinesPath(property.id), query };
  const page = await readPage(deps, asked);
  if (!page.ok) return page;
  const positionOf = ({ id }: { readonly id: number }): string => keys.timeline(property.id, id).sk;
  const found = await filterPage(
    page.value,
    async (wanted: Page) => {
      const read = await deps.table.query(keys.timeline(property.id, 0).pk, wanted);
      return { ...read, items: read.items.filter(isLive).map(parseTimeline) };
    },
    {
      keep: timelineFilter(query),
      positionOf,
    },
  );
  const viewOf = async (timeline: Timeline) => {
    const newest = await newestMoments(deps.table, property.id, timeline, {
      limit: momentsPerTimelineInList,
    });
    return timelineView(deps.baseUrl, property.id, timeline, newest);
  };
  const views: Awaited<ReturnType<typeof viewOf>>[] = [];
  // The moments of timelines that the answer has no room for are not read.
  const room = workBudget(limits.http.pageBytes);
  while (views.length < found.items.length && room.take(0)) {
    const piece = found.items.slice(views.length, views.length + AT_ONCE);
    const made = await Promise.all(piece.map(viewOf));
    for (const view of made) room.take(bytesInAnswer(view));
    views.push(...made);
  }
  const { shown, next_page: link } = await fitPage(deps, asked, found, { views, positionOf });
  return ok({
    status: 200,
    body: shown,
    ...(link === null ? {} : { headers: { link: `<${link}>; rel="next"` } }),
  });
};

/** The filter of a query; `undefined` when it selects all timelines. */
const timelineFilter = ({
  name,
  reference_tile,
}: TimelinesQuery): ((timeline: Timeline) => boolean) | undefined => {
  const isNamed = hasInName(name);
  if (!isNamed && reference_tile === undefined) return undefined;
  return (timeline) =>
    (isNamed?.(timeline) ?? true) &&
    (reference_tile === undefined || timeline.reference_tile === reference_tile);
};
