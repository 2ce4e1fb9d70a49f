/** Read timelines: the routes that show timelines and their moments. */
import { hasInName } from '../catalogue/name-filter.ts';
import { limits } from '../config/limits.ts';
import type { UseCase } from '../http/api-types.ts';
import { bytesInAnswer } from '../http/fitting.ts';
import type { ListQuery } from '../http/list-schemas.ts';
import { bareList, showPage, type ListDeps } from '../http/listing.ts';
import { notFound } from '../http/not-found.ts';
import { isLive } from '../references/lifecycle.ts';
import { err, ok } from '../runtime/result.ts';
import { workBudget } from '../runtime/work-budget.ts';
import { keys } from '../table/keys.ts';
import { countMoments, type CountDeps } from './moment-counts.ts';
import { momentsFrom, newestMoments, readMoments, readTimeline } from './read-items.ts';
import type { TimelinesQuery } from './schemas.ts';
import { parseTimeline, type Timeline } from './timeline-items.ts';
import {
  momentView,
  timelineFactsView,
  type TimelineLook,
  timelineView,
  type TimelineView,
} from './views.ts';

const { momentsPerTimelineInList } = limits.timelines;

/** Path of the timelines of a property, below the address of the service. */
const timelinesPath = (property: number): string => `/v2/properties/${property}/timelines`;

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
    views: (timelines) => viewsWithMoments(deps, { property: property.id, now: request.now }, timelines),
  });
  return page.ok ? ok(bareList(page.value)) : page;
};

/** The views of timelines with their newest moments. Those that the answer has no room for are left out, and not read. */
const viewsWithMoments = async (
  deps: CountDeps & ListDeps,
  { property, now }: Pick<TimelineLook, 'property' | 'now'>,
  timelines: readonly Timeline[],
): Promise<readonly TimelineView[]> => {
  const viewOf = async (timeline: Timeline) => {
    const newest = await newestMoments(deps.table, property, timeline, {
      limit: momentsPerTimelineInList,
    });
    return timelineView({ baseUrl: deps.baseUrl, property, now }, timeline, newest);
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

/** `GET timelines/{timeline_id}`: the timeline with a page of its moments, from the first on, and their counts. */
export const getTimeline: UseCase<CountDeps & ListDeps, ListQuery> = async (deps, request) => {
  const { property, path } = request;
  const id = Number(path['timeline_id']);
  const timeline = await readTimeline(deps.table, property.id, id);
  if (!timeline) return err(notFound('timeline', { property, path }));
  const page = await showPage(deps, request, {
    path: `${timelinesPath(property.id)}/${id}`,
    read: (wanted) => momentsFrom(deps.table, property.id, timeline, wanted),
    positionOf: ({ segment }) => keys.timelineMoment(property.id, id, segment).sk,
    views: async (moments) => {
      // A request counts as many moments as its time allows.
      const counts = await countMoments(deps, property.id, moments);
      return moments
        .slice(0, counts.length)
        .map((moment, index) => ({ ...momentView(deps.baseUrl, property.id, moment), ...counts[index] }));
    },
  });
  if (!page.ok) return page;
  const { shown, next_page } = page.value;
  return ok({
    status: 200,
    body: { ...timelineFactsView(timeline, request.now), moments: shown, paging: { next_page } },
  });
};

/** `GET timelines/{timeline_id}/moments/{moment_id}`: one moment with its counts. 404 for a moment of another timeline. */
export const getMoment: UseCase<CountDeps & { readonly baseUrl: string }> = async (
  deps,
  { property, path },
) => {
  const timeline = await readTimeline(deps.table, property.id, Number(path['timeline_id']));
  const segments = [Number(path['moment_id'])];
  const [moment] = timeline ? await readMoments(deps.table, property.id, timeline, segments) : [];
  if (!moment) return err(notFound('moment', { property, path }));
  const [counts] = await countMoments(deps, property.id, [moment]);
  return ok({ status: 200, body: { ...momentView(deps.baseUrl, property.id, moment), ...counts } });
};
