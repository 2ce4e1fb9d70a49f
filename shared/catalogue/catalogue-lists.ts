/** Lists of segments: pages through the segments of a property by name or in order of id, over the shards of the table. */
import type { Page } from '../http/listing.ts';
import { keys, SEGMENT_SHARDS } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { everyone, everyoneId, everyoneOf, foldName, nameKey, isCurrent } from './identity.ts';
import { claimedSegment } from './segment-items.ts';
import type { Segment } from './types.ts';
import type { Listed } from '../runtime/pages.ts';

/** A page of segments. The next page starts behind the id `next`. */
export type SegmentPage = Listed<Segment, number>;

/** The position of a page: behind an id, in ascending or descending order. */
export type SegmentPlace = Page<number>;

interface FindDeps {
  readonly table: Table;
  readonly getMany: (property: number, ids: readonly number[]) => Promise<ReadonlyMap<number, Segment>>;
  /** Ids of all segments to which the brand catalogue gives this name; only a few. */
  readonly alsoNamed: (property: number, name: string) => Promise<readonly number[]>;
}

/**
 * Segments with a name, in order of id. `everyone`, which has no item in the table, has the lowest id. The table finds
 * brands by the name that they were created with, so the present name is checked afterwards.
 */
export const findSegments = async (
  { table, getMany, alsoNamed }: FindDeps,
  property: number,
  name: string,
  { limit, after, descending = false }: SegmentPlace,
): Promise<SegmentPage> => {
  const behind = after === undefined ? undefined : nameKey(property, name, after).sk;
  const [page, branded] = await Promise.all([
    table.query(nameKey(property, name, 0).pk, { after: behind, limit, descending }),
    alsoNamed(property, name),
  ]);
  const end = page.next === undefined ? undefined : Number(page.next);
  const isDue = (id: number): boolean => isBetween(id, { after, end, descending });
  const builtIn = foldName(name) === everyone.name ? [everyoneId(property)] : [];
  const also = [...builtIn, ...branded].filter(isDue);
  const found = new Set([...page.items.map(claimedSegment), ...also]);
  const all = [...found].sort(byId(descending));
  const ids = all.slice(0, limit);
  const segments = await getMany(property, ids);
  const last = ids.at(-1);
  const more = page.next !== undefined || all.length > limit;
  const isNamed = (segment: Segment): boolean => foldName(segment.name) === foldName(name);
  return {
    items: ids.flatMap((id) => segments.get(id) ?? []).filter((one) => isCurrent(one) && isNamed(one)),
    next: more ? last : undefined,
  };
};

const byId =
  (descending: boolean) =>
  (a: number, b: number): number =>
    descending ? b - a : a - b;

/** Whether an id lies behind `after` and not behind `end`, in the direction of the list. */
const isBetween = (
  id: number,
  { after, end, descending }: { after: number | undefined; end: number | undefined; descending: boolean },
): boolean => {
  const order = byId(descending);
  return (after === undefined || order(id, after) > 0) && (end === undefined || order(id, end) <= 0);
};

/** Extra items read from each shard. Ids are spread evenly over the shards, apart from gaps. */
const SLACK = 4;

interface ListDeps {
  readonly table: Table;
  /** The segments of items, with their present names. */
  readonly read: (property: number, items: readonly StoredItem[]) => Promise<readonly Segment[]>;
}

/** All segments in order of id, merged from the shards. `everyone`, which has no item, has the lowest id. */
export const listSegments = async (
  deps: ListDeps,
  property: number,
  { limit, after, descending = false }: SegmentPlace,
): Promise<SegmentPage> => {
  const lowest = everyoneId(property);
  if (descending && after === lowest) return { items: [] };
  const found: Segment[] = !descending && after === undefined ? [everyoneOf(property)] : [];
  let place = descending ? after : (after ?? lowest);
  let more = true;
  while (more && found.length < limit) {
    const wanted = { limit: limit - found.length, after: place, descending };
    const stretch = await readStretch(deps, property, wanted);
    found.push(...stretch.items);
    place = stretch.next;
    more = place !== undefined;
    if (!more && descending) found.push(everyoneOf(property));
  }
  const items = found.slice(0, limit);
  return { items, next: more || found.length > limit ? items.at(-1)?.id : undefined };
};

/**
 * The next segments behind an id, in order, up to the id that every shard has been read to. Reads a little more from
 * each shard than its even share, so that one read nearly always fills a page.
 */
const readStretch = async (
  { table, read }: ListDeps,
  property: number,
  { limit, after, descending = false }: SegmentPlace,
): Promise<SegmentPage> => {
  const behind = after === undefined ? undefined : keys.segment(property, after).sk;
  const share = Math.ceil(limit / SEGMENT_SHARDS) + SLACK;
  const pages = await Promise.all(
    Array.from({ length: SEGMENT_SHARDS }, (_, shard) =>
      table.query(keys.segmentShard(property, shard), { after: behind, limit: share, descending }),
    ),
  );
  const order = byId(descending);
  const [cut] = pages.flatMap(({ next }) => (next === undefined ? [] : [Number(next)])).sort(order);
  const all = pages.flatMap((page) => page.items);
  const due = all.filter(({ sk }) => cut === undefined || order(Number(sk), cut) <= 0);
  const segments = (await read(property, due)).filter(isCurrent);
  return { items: segments.sort((a, b) => order(a.id, b.id)), next: cut };
};
