import { limits } from '../config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { fittingCount } from '../http/fitting.ts';
import type { ListQuery } from '../http/list-schemas.ts';
import { filterPage, linkTo, readPage, type ListDeps, type Page } from '../http/listing.ts';
import { problems, type Problem } from '../http/problem.ts';
import { mapLimited } from '../runtime/pool.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { hasInName } from '../catalogue/name-filter.ts';
import { keys } from '../table/keys.ts';
import { isLive } from '../references/lifecycle.ts';
import { momentView, timelineView, timelineFactsView } from './views.ts';
import { countMoments, type CountDeps } from './count-moments.ts';
import { parseTimeline, type Timeline } from './timeline-items.ts';
import { momentsFrom, newestMoments, readMoments, readTimeline } from './read-items.ts';
import type { TimelinesQuery } from './schemas.ts';

type Answer = Promise<Result<ApiAnswer, Problem>>;
const { listDefault, momentsPerTimelineInList } = limits.timelines;

/** Where the timelines of a property are, below the address of the service. */
const timelinesPath = (property: number): string => `/v2/properties/${property}/timelines`;

/** Timelines whose moments are read at once. */
const AT_ONCE = 10;

/**
 * `GET timelines`: a bare array in pages, the next page in `Link`; in order of creation, the oldest first unless asked
 * otherwise; all timelines, or those of a name or a tracked segment. Each has its newest moments, the oldest of them first.
 */
export const listTimelines = async (
  deps: CountDeps & ListDeps,
  { property, query }: ApiRequest<TimelinesQuery, unknown>,
): Answer => {
  const asked = { property: property.id, list: timelinesPath(property.id), query };
  const page = await readPage(deps, { ...asked, query: { ...query, limit: query.limit ?? listDefault } });
  if (!page.ok) return page;
  const positionOf = ({ id }: { readonly id: number }): string => keys.timeline(property.id, id).sk;
  const { items, next } = await filterPage(
    page.value,
    async (wanted: Page) => {
      const found = await deps.table.query(keys.timeline(property.id, 0).pk, wanted);
      return { ...found, items: found.items.filter(isLive).map(parseTimeline) };
    },
    {
      keep: timelineFilter(query),
      positionOf,
    },
  );
  const shown = await mapLimited(items, AT_ONCE, async (timeline) => {
    const newest = await newestMoments(deps.table, property.id, timeline, momentsPerTimelineInList);
    return timelineView(deps.baseUrl, property.id, timeline, newest);
  });
  const body = shown.slice(0, fittingCount(shown));
  const last = body.at(-1);
  const cut = last && body.length < shown.length ? positionOf(last) : next;
  const link = await linkTo(deps, { ...asked, next: cut });
  return ok({ status: 200, body, ...(link === null ? {} : { headers: { link: `<${link}>; rel="next"` } }) });
};

/** Which timelines a query names; undefined when it names all. */
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

/** `GET timelines/{timeline_id}`: its moments from the first on, in pages, and what each counts. */
export const getTimeline = async (
  deps: CountDeps & ListDeps,
  { property, path, query }: ApiRequest<ListQuery, unknown>,
): Answer => {
  const id = Number(path['timeline_id']);
  const timeline = await readTimeline(deps.table, property.id, id);
  if (!timeline) return err(problems.notFound());
  const asked = { property: property.id, list: `${timelinesPath(property.id)}/${id}`, query };
  const page = await readPage(deps, { ...asked, query: { ...query, limit: query.limit ?? listDefault } });
  if (!page.ok) return page;
  const { moments, next } = await momentsFrom(deps.table, property.id, timeline, page.value);
  const counts = await countMoments(deps, property.id, moments);
  const shown = counts.flatMap((count, index) => {
    const moment = moments[index];
    return moment ? [{ ...momentView(deps.baseUrl, property.id, moment), ...count }] : [];
  });
  const last = shown.at(-1);
  const cut = last && shown.length < moments.length ? keys.timelineMoment(property.id, id, last.id).sk : next;
  const next_page = await linkTo(deps, { ...asked, next: cut });
  return ok({ status: 200, body: { ...timelineFactsView(timeline), moments: shown, paging: { next_page } } });
};

/** `GET timelines/{timeline_id}/moments/{moment_id}`: one moment and what it counts. 404 for a moment of another timeline. */
export const getMoment = async (
  deps: CountDeps & { readonly baseUrl: string },
  { property, path }: ApiRequest<unknown, unknown>,
): Answer => {
  const timeline = await readTimeline(deps.table, property.id, Number(path['timeline_id']));
  const wanted = [Number(path['moment_id'])];
  const [moment] = timeline ? await readMoments(deps.table, property.id, timeline, wanted) : [];
  if (!moment) return err(problems.notFound());
  const [counts] = await countMoments(deps, property.id, [moment]);
  return ok({ status: 200, body: { ...momentView(deps.baseUrl, property.id, moment), ...counts } });
};
