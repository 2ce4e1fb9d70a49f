/** Draw timeline chart: for users of the property, and for everyone who has a link. */
import { limits } from '../config/limits.ts';
import { readQuery } from '../edge/request-input.ts';
import type { ApiAnswer, PublicUseCase, UseCase } from '../http/api-types.ts';
import { missing, notFound } from '../http/not-found.ts';
import type { Problem } from '../http/problem.ts';
import { countInWindow } from '../rates/count-in-window.ts';
import { capabilityHash, isCapability } from '../runtime/capability.ts';
import { MINUTE_MS } from '../runtime/clock.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { canonicalZone, UTC } from '../runtime/time-zone.ts';
import { keys } from '../table/keys.ts';
import { rateKeys } from '../table/request-keys.ts';
import type { Table } from '../table/table.ts';
import { chartSvg } from './chart-svg.ts';
import { countMoments, type CountDeps } from './moment-counts.ts';
import { newestMoments, readMoments, readTimeline } from './read-items.ts';
import { chartQuery, type ChartQuery } from './schemas.ts';
import { parseChartLink, type Timeline } from './timeline-items.ts';

/** A drawing may neither load nor run anything, wherever a browser opens it. */
const headers = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/** `GET timelines/{timeline_id}/chart.svg`: the moments of a timeline as a picture, as `drawChart` draws it. */
export const drawTimelineChart: UseCase<CountDeps, ChartQuery> = async (deps, { property, path, query }) => {
  const timeline = await readTimeline(deps.table, property.id, Number(path['timeline_id']));
  if (!timeline) return err(notFound('timeline', { property, path }));
  const drawn = await drawChart(deps, property.id, timeline, query);
  if (drawn.ok) return drawn;
  const moment_id = String(drawn.error.unknownMoment);
  return err(notFound('moment', { property, path: { ...path, moment_id } }));
};

/** A query names this moment, and the timeline does not have it. Each route has its own sentence for that. */
interface UnknownMoment {
  readonly unknownMoment: number;
}

/**
 * Draws the newest moments of a timeline, as many as one answer can count: of all moments, or of those between the two
 * moments of the query, in any order. Fails with a moment of the query that the timeline does not have.
 */
const drawChart = async (
  deps: CountDeps,
  property: number,
  timeline: Timeline,
  query: ChartQuery,
): Promise<Result<ApiAnswer, UnknownMoment>> => {
  const { chartMoments, chartWidth, chartHeight } = limits.timelines;
  const { limit = chartMoments, width, height = chartHeight.default, timezone = '' } = query;
  const range = await rangeOf(deps, property, timeline, query);
  if (!range.ok) return range;
  const moments = await newestMoments(deps.table, property, timeline, { limit, ...range.value });
  const newestFirst = moments.toReversed();
  const counts = await countMoments(deps, property, newestFirst);
  const points = counts.flatMap((count, index) => {
    const moment = newestFirst[index];
    return moment ? [{ id: moment.segment, created: moment.created, ...count }] : [];
  });
  const body = chartSvg({
    name: timeline.name,
    points: points.reverse(),
    zone: canonicalZone(timezone === '' ? UTC : timezone),
    size: { width: width ?? chartWidth.default, height, scaled: width === undefined },
  });
  return ok({ status: 200, body, headers });
};

/** The segments of the first and the last moment that a query names. */
const rangeOf = async (
  { table }: CountDeps,
  property: number,
  timeline: Timeline,
  { from, to }: ChartQuery,
): Promise<
  Result<{ readonly from?: number | undefined; readonly to?: number | undefined }, UnknownMoment>
> => {
  const named = [from, to].filter((moment) => moment !== undefined);
  const moments = await readMoments(table, property, timeline, named);
  const unknownMoment = named[moments.indexOf(undefined)];
  if (unknownMoment !== undefined) return err({ unknownMoment });
  return ok(from !== undefined && to !== undefined && to < from ? { from: to, to: from } : { from, to });
};

export interface LinkedChartDeps extends CountDeps {
  /** The table of rates. */
  readonly rates: Pick<Table, 'increment'>;
}

const closed: Problem = {
  status: 403,
  code: 'link_closed',
  detail: 'This link does not show a chart, or no longer does; make a new link.',
};

/** The sentence names neither the timeline nor the property: the reader of a link need not know them. */
const unknownMoment = missing('The chart has no such moment. `from` and `to` must be ids of its moments.');

const sharedHeaders = {
  'cache-control': `public, max-age=${limits.timelines.chartCacheSeconds}`,
  // Pages of other origins may embed the picture, whatever they demand of their resources.
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
};

/**
 * `GET charts/{capability}/chart.svg`: the chart behind a link, with the query of the route with a token. The answer is
 * the same 403 for a capability that is unknown, expired or withdrawn, and for a deleted timeline. It is the same 404 for
 * every moment that the timeline does not have. It is 429 after `limits.timelines.chartViewsPerMinute` views of the chart
 * in a minute. An unknown capability costs one read.
 */
export const showLinkedChart: PublicUseCase<LinkedChartDeps> = async (deps, { path, rawQuery, now }) => {
  const query = readQuery(chartQuery, rawQuery);
  if (!query.ok) return query;
  const linked = await timelineOf(deps.table, path['capability'] ?? '', now);
  if (!linked) return err(closed);
  const { property, timeline } = linked;
  const key = (minute: number) => rateKeys.chartViews(timeline.id, minute);
  const view = { key, amount: 1, milliseconds: MINUTE_MS, now };
  const admitted = await countInWindow(deps.rates, view, limits.timelines.chartViewsPerMinute);
  if (!admitted.ok) return admitted;
  const drawn = await drawChart(deps, property, timeline, query.value);
  return drawn.ok
    ? ok({ ...drawn.value, headers: { ...drawn.value.headers, ...sharedHeaders } })
    : err(unknownMoment);
};

/** The timeline that a capability opens, with its property. */
const timelineOf = async (
  table: Table,
  capability: string,
  now: number,
): Promise<{ readonly property: number; readonly timeline: Timeline } | undefined> => {
  const item = isCapability(capability)
    ? await table.get(keys.chartLink(capabilityHash(capability)))
    : undefined;
  const link = item && parseChartLink(item);
  if (!link || link.expires <= now) return undefined;
  const timeline = await readTimeline(table, link.property, link.timeline);
  return timeline?.chart_links === link.generation ? { property: link.property, timeline } : undefined;
};
