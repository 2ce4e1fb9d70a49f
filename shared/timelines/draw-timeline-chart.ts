import { limits } from '../config/limits.ts';
import type { ApiAnswer, UseCase } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { chartSvg } from './chart-svg.ts';
import { countMoments, type CountDeps } from './count-moments.ts';
import { newestMoments, readMoments, readTimeline } from './read-items.ts';
import type { ChartQuery } from './schemas.ts';
import type { Timeline } from './timeline-items.ts';

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
export const drawChart = async (
  deps: CountDeps,
  property: number,
  timeline: Timeline,
  query: ChartQuery,
): Promise<Result<ApiAnswer, UnknownMoment>> => {
  const { chartMoments, chartWidth, chartHeight } = limits.timelines;
  const { limit = chartMoments, width = chartWidth.default, height = chartHeight.default } = query;
  const range = await rangeOf(deps, property, timeline, query);
  if (!range.ok) return range;
  const moments = await newestMoments(deps.table, property, timeline, { limit, ...range.value });
  const newestFirst = moments.toReversed();
  const counts = await countMoments(deps, property, newestFirst);
  const points = counts.flatMap((count, index) => {
    const moment = newestFirst[index];
    return moment ? [{ id: moment.segment, created: moment.created, ...count }] : [];
  });
  const body = chartSvg({ name: timeline.name, points: points.reverse(), width, height });
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
