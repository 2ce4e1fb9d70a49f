/**
 * Chart links: addresses that show the chart of a timeline to everyone who has them, for pages and mails that cannot send
 * a token.
 *
 * A link holds a capability, a keyed hash of the timeline, its generation of links and the end of the link. The table has
 * an item under the SHA-256 of the capability, so a copy of the table opens no chart. The same timeline has one link for
 * each day on which links end: repeated requests neither make further items nor further secrets.
 */
import { noteMade } from '../auth/made-things.ts';
import type { UseCase, NoQuery } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import type { PropertyScopes } from '../properties/property-keys.ts';
import { capabilityHash, keyedCapability } from '../runtime/capability.ts';
import { DAY_MS, isoTime, ttlAt } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { err, ok } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { readTimeline } from './read-items.ts';
import type { ChartLinkBody } from './schemas.ts';

export interface ChartLinkDeps {
  readonly table: Table;
  readonly scopeOf: PropertyScopes;
  /** The configured address of the service. */
  readonly baseUrl: string;
}

/**
 * `POST timelines/{timeline_id}/chart-links`: an address that shows the chart without a token, for at least so many days
 * as the body names: it ends with a day in UTC. 404 for an unknown timeline.
 */
export const createChartLink: UseCase<ChartLinkDeps, NoQuery, ChartLinkBody> = async (
  { table, scopeOf, baseUrl },
  { property, path, body, now, user },
) => {
  const timeline = await readTimeline(table, property.id, Number(path['timeline_id']));
  if (!timeline) return err(notFound('timeline', { property, path }));
  const { id, chart_links: generation } = timeline;
  const expires = endOfDay(now, body.days);
  const { keys: secrets } = await scopeOf(property.id);
  const capability = keyedCapability(secrets.charts, [id, generation, expires]);
  const set = { property: property.id, timeline: id, generation, expires, ttl: ttlAt(expires) };
  const maker = { property: property.id, user: user.id, now };
  await noteMade(table, maker, { kind: 'chart', timeline: id, expires });
  // A taken key has the same link, because the capability follows from what the item holds.
  await table.write({ kind: 'insert', key: keys.chartLink(capabilityHash(capability)), set });
  const url = `${baseUrl}/charts/${capability}/chart.svg`;
  return ok({ status: 201, body: { url, expires_at: isoTime(expires) } });
};

/** The end of the day (UTC) that comes so many days after a time. */
const endOfDay = (now: number, days: number): number => (Math.floor(now / DAY_MS) + days + 1) * DAY_MS;

/**
 * `DELETE timelines/{timeline_id}/chart-links`: no address that was made before opens the chart from now on, apart from
 * the copies of browsers and proxies (`limits.timelines.chartCacheSeconds`). 404 for an unknown timeline.
 */
export const withdrawChartLinks: UseCase<{ readonly table: Table; readonly pause: Pause }> = async (
  { table, pause },
  { property, path },
) => {
  const id = Number(path['timeline_id']);
  return (await closeChartLinks({ table, pause }, property.id, id))
    ? ok({ status: 200, body: { id } })
    : err(notFound('timeline', { property, path }));
};

/** Closes all links to the chart of a timeline that were made before; `false` for an unknown timeline. */
export const closeChartLinks = (
  { table, pause }: { readonly table: Table; readonly pause: Pause },
  property: number,
  id: number,
): Promise<boolean> =>
  retryOnConflict({ pause, what: 'timelines: links to be withdrawn' }, async () => {
    const timeline = await readTimeline(table, property, id);
    if (!timeline) return done(false);
    const { w, chart_links } = timeline;
    const set = { chart_links: chart_links + 1 };
    const outcome = await table.write({
      kind: 'update',
      key: keys.timeline(property, id),
      set,
      expect: { w },
    });
    return outcome === 'refused' ? 'conflict' : done(true);
  });
