import { limits } from '../../config/limits.ts';
import { DAY_SECONDS } from '../../runtime/clock.ts';
import { allItems } from '../../table/all-items.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { isCurrent, isCustom } from '../../catalogue/custom-items.ts';
import { claimedSegment } from '../../catalogue/segment-items.ts';
import { planExpression, segmentsIn } from '../expression-plan.ts';
import type { Segment } from '../../catalogue/types.ts';
import { dirtySince } from './dirty-groups.ts';

/** What is to be counted: by segment its groups, or all of them. */
export type Work = ReadonlyMap<number, ReadonlySet<number> | 'all'>;

/** What finding out takes. */
export interface RecountDeps {
  readonly table: Table;
  readonly catalogue: Pick<SegmentCatalogue, 'getMany' | 'list'>;
}

/** Segments of one page of the catalogue. */
const PAGE = 1_000;

/** Notes that are older may have ended: they end after the retention, and this is a day before. */
const NOTES_KEPT_MS = (limits.sizes.retentionDays - 1) * DAY_SECONDS * 1000;

/**
 * What may have changed between two times (epoch milliseconds): since ever, when the first is null, or so long ago that the
 * notes of what has changed have ended.
 */
export const recountSince = async (
  deps: RecountDeps,
  property: number,
  since: number | null,
  now: number,
): Promise<Work> => {
  if (since === null || now - since > NOTES_KEPT_MS) return everything(deps, property);
  const touched = await dirtySince(deps.table, property, since, now);
  const work = new Map<number, ReadonlySet<number> | 'all'>(touched);
  for (const segment of await unmeasured(deps, property, await momentsOf(deps, property)))
    work.set(segment, 'all');
  const customs = await currentCustomSegments(deps, property);
  const fresh = new Set(await unmeasured(deps, property, [...customs.keys()]));
  for (const [id, segment] of customs) {
    const groups = fresh.has(id) ? 'all' : groupsTouched(property, segment, touched);
    if (groups === 'all' || groups.size > 0) work.set(id, groups);
  }
  return work;
};

/** The custom segments that lists show, by id. */
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
  let after: number | undefined;
  do {
    const page = await catalogue.list(property, { limit: PAGE, after });
    for (const { id } of page.segments) work.set(id, 'all');
    after = page.next;
  } while (after !== undefined);
  return work;
};

/** A custom segment changes where one does that it is made of. */
const groupsTouched = (
  property: number,
  { id, custom }: Segment,
  touched: ReadonlyMap<number, ReadonlySet<number>>,
): ReadonlySet<number> => {
  const parts = segmentsIn(planExpression(property, custom?.members ?? id));
  return new Set([...parts].flatMap((part) => [...(touched.get(part) ?? [])]));
};

/** A moment does not change, but a new one is to be counted. */
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
