/**
 * Segment items: parses and writes the items of segments, of their names and of their claims, counts segments within the
 * quotas of their property, exactly although many writers count at the same time, and reads segments in
 * stages. Each stage takes the result of the stage before it, and a caller stops at the stage that it needs.
 *
 * 1. `readItems`: the stored items of some ids.
 * 2. `visibleSegments`: without deleted items and without pending items that are not committed. Answers whether an id
 *   exists.
 * 3. `namedSegments`: brands and categories with the name, path and id that a version of the brand catalogue gives
 *   them.
 * 4. `expandedSegments`: custom segments whose members follow retired brands to their successors.
 */
import * as v from 'valibot';
import { isLive, lifecycleOf } from '../references/lifecycle.ts';
import { keys } from '../table/keys.ts';
import { scopedId } from '../table/scoped-ids.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { originPage, unknownPage } from './brand-keys.ts';
import type { Brands } from './brands.ts';
import { parseCondition } from './conditions/condition-items.ts';
import { visibleCustomSegments } from './custom-items.ts';
import { idsIn } from './definition.ts';
import { claimKey, identityKey, nameKey } from './identity.ts';
import {
  segmentTypes,
  type Segment,
  type SegmentExpression,
  type SegmentIdentity,
  type SegmentType,
} from './types.ts';
import { limits } from '../config/limits.ts';
import type { Pause } from '../runtime/pause.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';

const claimItem = v.object({ segment: v.number() });
const segmentItem = v.object({
  id: v.number(),
  type: v.picklist(segmentTypes),
  path: v.array(v.string()),
  name: v.string(),
  key: v.exactOptional(v.string()),
  aliases: v.exactOptional(v.array(v.string())),
});

/** An identity with its future id. */
export type Claiming = SegmentIdentity & Pick<Segment, 'id'>;

/** Parses the item of a segment. */
export const parseSegment = (item: StoredItem): Segment => v.parse(segmentItem, item);

/** The type in the item of a segment; undefined without an item, and for a tombstone in the place of a segment. */
export const parseSegmentType = (item: StoredItem | undefined): SegmentType | undefined => {
  const type = v.safeParse(v.picklist(segmentTypes), item?.['type']);
  return type.success ? type.output : undefined;
};

/** The segment id in a claim or in an item of the names. */
export const claimedSegment = (item: StoredItem): number => v.parse(claimItem, item).segment;

/** The claim that makes the segment of an identity unique: a conditional insert. */
export const claimWrite = (property: number, { id, ...identity }: Claiming): Write => ({
  kind: 'insert',
  key: claimKey(property, identity),
  set: { segment: id },
});

/**
 * Writes the items of claimed segments: first the items of the names, then the segments, so that every stored segment
 * can be found by name. Existing items stay.
 */
export const writeSegments = async (
  table: Table,
  property: number,
  segments: readonly Segment[],
): Promise<void> => {
  if (segments.length === 0) return;
  await table.writeMany(
    segments.map(({ id, name }) => ({
      kind: 'insert',
      key: nameKey(property, name, id),
      set: { segment: id },
    })),
  );
  await table.writeMany(
    segments.map(({ id, type, path, name, key }) => ({
      kind: 'insert',
      key: keys.segment(property, id),
      set: { id, type, path, name, ...(key === undefined ? {} : { key }) },
    })),
  );
};

/** Reserves ids for new segments of any type. Unused ids remain gaps. The first id of a property is that of `everyone`. */
export const newSegmentIds = async (
  table: Table,
  property: number,
  count: number,
): Promise<readonly number[]> => {
  const last = await table.increment(keys.counter(property, 'segment'), count);
  return Array.from({ length: count }, (_, index) => scopedId(property, last - count + index + 2));
};

export const newSegmentId = async (table: Table, property: number): Promise<number> => {
  const [id] = await newSegmentIds(table, property, 1);
  if (id === undefined) throw new Error('segments: no id was reserved');
  return id;
};

/** Stage 1: the items of segments that have one, read strongly. */
export const readItems = async (
  table: Table,
  property: number,
  ids: readonly number[],
): Promise<readonly StoredItem[]> => {
  const items = ids.length === 0 ? [] : await table.getMany(ids.map((id) => keys.segment(property, id)));
  return items.filter((item) => item !== undefined);
};

/** Stage 2: the segments of items that are live and committed, of any type. */
export const visibleSegments = async (
  table: Table,
  property: number,
  items: readonly StoredItem[],
): Promise<readonly Segment[]> => {
  const live = items.filter(isLive);
  const { custom = [], moment = [], condition = [], other = [] } = Object.groupBy(live, kindOf);
  // Release 0.2.0 stores the segment of a moment before the moment is committed.
  const moments = moment.filter((item) => lifecycleOf(item) !== 'pending');
  const plain = [...[...other, ...moments].map(parseSegment), ...condition.map(parseCondition)];
  return custom.length === 0 ? plain : [...plain, ...(await visibleCustomSegments(table, property, custom))];
};

const kindOf = ({ type }: StoredItem): 'custom' | 'moment' | 'condition' | 'other' =>
  type === 'custom' || type === 'moment' || type === 'condition' ? type : 'other';

/** Whether the brand catalogue decides the name and path of a segment. */
export const isOfBrands = ({ type }: Pick<SegmentIdentity, 'type'>): boolean =>
  type === 'brand' || type === 'CATEGORY';

/** Whether stages 3 and 4 may change a segment. */
export const dependsOnBrands = (segment: Segment): boolean =>
  isOfBrands(segment) || segment.custom !== undefined;

/** Ids by key, for the keys of a property that have an id. */
export type FindKeys = (keys: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/**
 * Stage 3: brands and categories as a version of the brand catalogue has them. A brand that left the catalogue is
 * retired: its successor is the current segment of the page that the brand was created from. If that segment has taken
 * over the id of the brand, the brand simply is its successor.
 */
export const namedSegments = async (
  segments: readonly Segment[],
  brands: Brands,
  findKeys: FindKeys,
): Promise<readonly Segment[]> => {
  const resolved = segments.map((segment) => resolveName(brands, segment));
  const wanted = resolved.flatMap((one) => ('successor' in one ? [one.successor] : []));
  const ids = wanted.length === 0 ? new Map<string, number>() : await findKeys([...new Set(wanted)]);
  return resolved.map((one) => {
    if (!('successor' in one)) return one;
    const { segment, successor } = one;
    const id = ids.get(successor);
    const named = { ...(brands.named(successor) ?? unknownPage(originPage(successor))), id: segment.id };
    if (id === segment.id) return named;
    return { ...named, key: identityKey(segment), retired: id === undefined ? {} : { mergedInto: id } };
  });
};

/** A segment with its present name, or a retired brand with the key of its successor. */
type ResolvedName = Segment | { readonly segment: Segment; readonly successor: string };

const resolveName = (brands: Brands, segment: Segment): ResolvedName => {
  if (!isOfBrands(segment)) return segment;
  const { id, aliases = [] } = segment;
  const own = [identityKey(segment), ...aliases];
  const named = own.map((key) => brands.named(key)).find((one) => one !== undefined);
  if (named) return { ...named, id };
  if (segment.type === 'CATEGORY') return { ...segment, retired: {} };
  // A page that the catalogue never listed keeps the first of its keys that still names the page itself.
  const key = own.find((one) => brands.keyOf(originPage(one)) === one);
  if (key !== undefined) return { ...unknownPage(originPage(key)), key, id };
  return { segment, successor: brands.keyOf(originPage(own.at(-1) ?? '')) };
};

/** The segments that the expanded definitions of custom segments consist of. Stage 4 needs them named. */
export const memberIds = (segments: readonly Segment[]): readonly number[] => [
  ...new Set(segments.flatMap(({ custom }) => (custom ? idsIn(custom.members).map(({ id }) => id) : []))),
];

/**
 * Stage 4: custom segments that name a retired brand also hold the members of its successor. `members` are named
 * segments.
 */
export const expandedSegments = (
  segments: readonly Segment[],
  members: readonly Segment[],
): readonly Segment[] => {
  const merged = members.filter(({ retired }) => retired?.mergedInto !== undefined);
  if (merged.length === 0) return segments;
  const byId = new Map(merged.map((one) => [one.id, one]));
  return segments.map((segment) =>
    segment.custom
      ? { ...segment, custom: { ...segment.custom, members: expand(segment.custom.members, byId) } }
      : segment,
  );
};

/**
 * Expands an expression: replaces custom segments by their members, and adds to a retired brand the segment that it was
 * merged into. The members of a custom segment are expanded already and contain no custom segments.
 */
export const expand = (
  expression: SegmentExpression,
  segments: ReadonlyMap<number, Segment>,
): SegmentExpression => {
  const part = (inner: SegmentExpression): SegmentExpression => expand(inner, segments);
  if (typeof expression === 'number') {
    const { custom, retired } = segments.get(expression) ?? {};
    // Until all members have moved to the successor, the rest is still in the retired brand.
    return (
      custom?.members ??
      (retired?.mergedInto === undefined ? expression : { any: [expression, retired.mergedInto] })
    );
  }
  if ('all' in expression) return { all: expression.all.map(part) };
  return 'any' in expression ? { any: expression.any.map(part) } : { not: part(expression.not) };
};

const quotaItem = v.object({ w: v.string(), value: v.number() });

/**
 * The quotas of a property, each with its counter: for segments of all types, for custom segments, and for segments of
 * consent. Segments of consent count with the others, and have a reserve beyond the quota of the others.
 */
const quotas = {
  segment: { counter: 'segment-count', most: limits.segments.perProperty },
  custom: { counter: 'custom-count', most: limits.segments.customPerProperty },
  consent: {
    counter: 'segment-count',
    most: limits.segments.perProperty + limits.segments.consentReserve,
  },
} as const;
type Quota = keyof typeof quotas;

/** The quota of a segment that is derived from the values of profiles. */
export const quotaOf = ({ type }: Pick<SegmentIdentity, 'type'>): 'segment' | 'consent' =>
  type === 'consent' ? 'consent' : 'segment';

/**
 * With more quota left than this, a reservation is an atomic addition, which never conflicts: all workers of an import
 * reserve at the same time. An addition that is repeated after a lost answer counts twice, so the limit may come early
 * by that much.
 */
const AMPLE = 1_000;

export interface QuotaDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/** A number of segments that count in a quota. */
export interface QuotaChange {
  readonly property: number;
  readonly quota: Quota;
  readonly count: number;
}

/** The quota that is left. */
export const freeQuota = async (table: Table, property: number, quota: Quota): Promise<number> =>
  freeOf(quota, (await readCount(table, property, quota))?.value);

const readCount = async (table: Pick<Table, 'get'>, property: number, quota: Quota) => {
  const item = await table.get(keys.counter(property, quotas[quota].counter));
  return item && v.parse(quotaItem, item);
};

const freeOf = (quota: Quota, value = 0): number => Math.max(quotas[quota].most - value, 0);

/**
 * The write that counts one segment more or one fewer, for the transaction that creates or deletes the segment. Refused when
 * another writer has counted since. `undefined` when the quota is used up.
 */
export const quotaWrite = async (
  table: Pick<Table, 'get'>,
  property: number,
  quota: Quota,
  by: 1 | -1,
): Promise<Write | undefined> => {
  const seen = await readCount(table, property, quota);
  return by > freeOf(quota, seen?.value) ? undefined : countWrite(property, quota, seen, by);
};

const countWrite = (
  property: number,
  quota: Quota,
  seen: v.InferOutput<typeof quotaItem> | undefined,
  by: number,
): Write => {
  const key = keys.counter(property, quotas[quota].counter);
  const set = { value: (seen?.value ?? 0) + by };
  return seen ? { kind: 'update', key, set, expect: { w: seen.w } } : { kind: 'insert', key, set };
};

/**
 * Reserves quota for up to `count` new segments, before they are created, and returns the reserved number. A writer
 * that dies keeps its reservation: the limit may come early by that much, but is never exceeded.
 */
export const reserveConcurrently = async (deps: QuotaDeps, change: QuotaChange): Promise<number> => {
  const { property, quota, count } = change;
  if ((await freeQuota(deps.table, property, quota)) < count + AMPLE)
    return changeQuota(deps, change, (free) => Math.min(count, free));
  const taken = await deps.table.increment(keys.counter(property, quotas[quota].counter), count);
  const over = Math.min(count, Math.max(taken - quotas[quota].most, 0));
  if (over > 0) await releaseQuota(deps, { ...change, count: over });
  return count - over;
};

/** Releases quota for segments that were not created after all. */
export const releaseQuota = async (deps: QuotaDeps, change: QuotaChange): Promise<void> => {
  await changeQuota(deps, change, () => -change.count);
};

/** Changes a counter by what `by` makes of the free quota, and returns the change. A transaction counts a lost answer once. */
const changeQuota = async (
  { table, pause }: QuotaDeps,
  { property, quota }: QuotaChange,
  by: (free: number) => number,
): Promise<number> =>
  retryOnConflict({ pause, what: `segments: the ${quotas[quota].counter}` }, async () => {
    const seen = await readCount(table, property, quota);
    const change = by(freeOf(quota, seen?.value));
    if (change === 0) return done(0);
    const refused = await table.transact([countWrite(property, quota, seen, change)]);
    return refused.length === 0 ? done(change) : 'conflict';
  });
