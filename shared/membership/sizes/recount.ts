/** Recounts: finds the segments and groups whose sizes may have changed since the last measurement. */
import { readConditions } from '../../catalogue/conditions/condition-list.ts';
import { limits } from '../../config/limits.ts';
import { DAY_MS } from '../../runtime/clock.ts';
import { allItems } from '../../table/all-items.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { isCurrent, isCustom } from '../../catalogue/identity.ts';
import { claimedSegment } from '../../catalogue/segment-items.ts';
import { planExpression, segmentsIn } from '../expression-plan.ts';
import type { Segment } from '../../catalogue/types.ts';
import { dirtySince } from './dirty-groups.ts';
import { itemsOf } from '../../runtime/pages.ts';

/** The groups to count again, by segment; `all` for a segment without a usable measurement. */
export type Work = ReadonlyMap<number, ReadonlySet<number> | 'all'>;

export interface RecountDeps {
  readonly table: Table;
  readonly catalogue: Pick<SegmentCatalogue, 'getMany' | 'indexed' | 'list'>;
}

/** Segments of one page of the catalogue. */
const PAGE = 1_000;

/** The age up to which no record of dirty groups has expired: a day less than their retention. */
const RECORDS_KEPT_MS = (limits.sizes.retentionDays - 1) * DAY_MS;

/**
 * The work for counting all changes between two times (epoch milliseconds). Everything, when `since` is null or so long
 * ago that the records of dirty groups may have expired.
 */
export const recountSince = async (
  deps: RecountDeps,
  property: number,
  since: number | null,
  now: number,
): Promise<Work> => {
  if (since === null || now - since > RECORDS_KEPT_MS) return everything(deps, property);
  const [touched, moments, customs, conditions] = await Promise.all([
    dirtySince(deps.table, property, since, now),
    momentsOf(deps, property),
    currentCustomSegments(deps, property),
    readConditions(deps.table, property),
  ]);
  // A condition has no size before it is ready, and then its groups may have been dirty long ago.
  const made = [...moments, ...conditions.ready];
  const fresh = new Set(await unmeasured(deps, property, [...made, ...customs.keys()]));
  const work = new Map<number, ReadonlySet<number> | 'all'>(touched);
  for (const segment of made) if (fresh.has(segment)) work.set(segment, 'all');
  for (const [id, segment] of customs) {
    const groups = fresh.has(id) ? 'all' : dirtyGroupsOf(property, segment, touched);
    if (groups === 'all' || groups.size > 0) work.set(id, groups);
  }
  return work;
};

/** The custom segments in lists, by id. */
export const currentCustomSegments = async (
  { table, catalogue }: RecountDeps,
  property: number,
): Promise<ReadonlyMap<number, Segment>> => {
  const items = await allItems(table, keys.customSegment(property, 0).pk);
  const listed = await catalogue.getMany(property, items.map(claimedSegment));
  return new Map([...listed].filter(([, segment]) => isCustom(segment) && isCurrent(segment)));
};

const everything = async ({ catalogue }: RecountDeps, property: number): Promise<Work> => {
  const work = new Map<number, 'all'>();
  for await (const { id } of itemsOf((after: number | undefined) =>
    catalogue.list(property, { limit: PAGE, after }),
  ))
    work.set(id, 'all');
  return work;
};

/** The dirty groups of a custom segment: those of the segments in its definition. */
const dirtyGroupsOf = (
  property: number,
  { id, custom }: Segment,
  touched: ReadonlyMap<number, ReadonlySet<number>>,
): ReadonlySet<number> => {
  const parts = segmentsIn(planExpression(property, custom?.members ?? id));
  return new Set([...parts].flatMap((part) => [...(touched.get(part) ?? [])]));
};

/** All moments: a moment does not change, but a new moment must be counted. */
const momentsOf = async ({ table }: RecountDeps, property: number): Promise<readonly number[]> =>
  (await allItems(table, keys.moments(property))).map(claimedSegment);

const unmeasured = async (
  { table }: RecountDeps,
  property: number,
  segments: readonly number[],
): Promise<readonly number[]> => {
  const items = await table.getMany(segments.map((segment) => keys.size(property, segment)));
  return segments.filter((_, index) => items[index] === undefined);
};
