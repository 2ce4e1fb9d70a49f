import { limits } from '../config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import type { Problem } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { chartSvg } from './chart-svg.ts';
import { countMoments, type CountDeps } from './count-moments.ts';
import { newestMoments, readTimeline } from './read-items.ts';
import type { ChartQuery } from './schemas.ts';

/** A drawing may neither load nor run anything, wherever a browser opens it. */
const headers = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/** `GET timelines/{timeline_id}/chart.svg`: the newest moments as a picture, as many as one answer can count. */
export const drawTimelineChart = async (
  deps: CountDeps,
  { property, path, query }: ApiRequest<ChartQuery, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const timeline = await readTimeline(deps.table, property.id, Number(path['timeline_id']));
  if (!timeline) return err(notFound('timeline', { property, path }));
  const limit = query.limit ?? limits.timelines.chartMoments;
  const newestFirst = (await newestMoments(deps.table, property.id, timeline, limit)).toReversed();
  const counts = await countMoments(deps, property.id, newestFirst);
  const points = counts.flatMap((count, index) => {
    const moment = newestFirst[index];
    return moment ? [{ id: moment.segment, created: moment.created, ...count }] : [];
  });
  const body = chartSvg({ name: timeline.name, points: points.reverse() });
  return ok({ status: 200, body, headers });
};
