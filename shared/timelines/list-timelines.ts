/** List timelines: pages through the timelines of a property, for `GET timelines`. */
import { hasInName } from '../catalogue/name-filter.ts';
import { limits } from '../config/limits.ts';
import type { UseCase } from '../http/api-types.ts';
import { bytesInAnswer } from '../http/fitting.ts';
import { bareList, showPage, type ListDeps } from '../http/listing.ts';
import { isLive } from '../references/lifecycle.ts';
import { ok } from '../runtime/result.ts';
import { workBudget } from '../runtime/work-budget.ts';
import { keys } from '../table/keys.ts';
import type { CountDeps } from './count-moments.ts';
import { newestMoments } from './read-items.ts';
import type { TimelinesQuery } from './schemas.ts';
import { parseTimeline, type Timeline } from './timeline-items.ts';
import { timelineView, type TimelineView } from './views.ts';

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
export const listTimelines: UseCase<CountDeps & ListDeps, TimelinesQuery> = async (deps, request) => {
  const { property, query } = request;
  const page = await showPage(deps, request, {
    path: timelinesPath(property.id),
    read: async (wanted) => {
      const read = await deps.table.query(keys.timeline(property.id, 0).pk, wanted);
      return { ...read, items: read.items.filter(isLive).map(parseTimeline) };
    },
    keep: timelineFilter(query),
    positionOf: ({ id }) => keys.timeline(property.id, id).sk,
    views: (timelines) => viewsWithMoments(deps, property.id, timelines),
  });
  return page.ok ? ok(bareList(page.value)) : page;
};

/** The views of timelines with their newest moments. Those that the answer has no room for are left out, and not read. */
const viewsWithMoments = async (
  deps: CountDeps & ListDeps,
  property: number,
  timelines: readonly Timeline[],
): Promise<readonly TimelineView[]> => {
  const viewOf = async (timeline: Timeline) => {
    const newest = await newestMoments(deps.table, property, timeline, {
      limit: momentsPerTimelineInList,
    });
    return timelineView(deps.baseUrl, property, timeline, newest);
  };
  const views: TimelineView[] = [];
  const room = workBudget(limits.http.pageBytes);
  while (views.length < timelines.length && room.take(0)) {
    const piece = timelines.slice(views.length, views.length + AT_ONCE);
    const made = await Promise.all(piece.map(viewOf));
    for (const view of made) room.take(bytesInAnswer(view));
    views.push(...made);
  }
  return views;
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
