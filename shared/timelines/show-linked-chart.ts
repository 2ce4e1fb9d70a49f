/** Show linked chart: opens the chart of a timeline for everyone who has its link. */
import { limits } from '../config/limits.ts';
import type { PublicUseCase } from '../http/api-types.ts';
import { missing } from '../http/not-found.ts';
import type { Problem } from '../http/problem.ts';
import { readQuery } from '../edge/request-input.ts';
import { capabilityHash, isCapability } from '../runtime/capability.ts';
import { err, ok } from '../runtime/result.ts';
import { countInWindow } from '../rates/count-in-window.ts';
import { keys } from '../table/keys.ts';
import { rateKeys } from '../table/request-keys.ts';
import type { Table } from '../table/table.ts';
import type { CountDeps } from './count-moments.ts';
import { drawChart } from './draw-timeline-chart.ts';
import { readTimeline } from './read-items.ts';
import { chartQuery } from './schemas.ts';
import { parseChartLink, type Timeline } from './timeline-items.ts';
import { MINUTE_MS } from '../runtime/clock.ts';

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

const headers = {
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
    ? ok({ ...drawn.value, headers: { ...drawn.value.headers, ...headers } })
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
