import { keys, SEGMENT_SHARDS } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { isCurrent } from './custom-items.ts';
import { everyone, everyoneId, everyoneOf, foldName } from './identity.ts';
import { claimedSegment, nameKey } from './segment-items.ts';
import type { Segment } from './types.ts';

/** A page of segments; `next` is what the following one starts behind, absent at the end. */
export interface SegmentPage {
  readonly segments: readonly Segment[];
  readonly next?: number;
}

interface PageWanted {
  readonly limit: number;
  readonly after: number | undefined;
}

interface FindDeps {
  readonly table: Table;
  readonly getMany: (property: number, ids: readonly number[]) => Promise<ReadonlyMap<number, Segment>>;
  /** Ids of brands that the catalogue of brands calls so; a few, of all pages. */
  readonly alsoNamed: (property: number, name: string) => Promise<readonly number[]>;
}

/**
 * Segments of a name in order of id. `everyone`, which stands nowhere in the table, is the first of those of its name. Of
 * brands the table has names that they had once: what they are called now decides.
 */
export const findSegments = async (
  { table, getMany, alsoNamed }: FindDeps,
  property: number,
  { name, limit, after }: PageWanted & { readonly name: string },
): Promise<SegmentPage> => {
  const builtIn = after === undefined && foldName(name) === everyone.name ? [everyoneId(property)] : [];
  const { pk, sk } = nameKey(property, name, after ?? 0);
  const page = await table.query(pk, { after: sk, limit });
  const end = page.next === undefined ? Number.POSITIVE_INFINITY : Number(page.next);
  const also = (await alsoNamed(property, name)).filter((id) => id > (after ?? 0) && id <= end);
  const found = new Set([...builtIn, ...page.items.map(claimedSegment), ...also]);
  const all = [...found].sort((a, b) => a - b);
  const ids = all.slice(0, limit);
  const segments = await getMany(property, ids);
  const last = ids.at(-1);
  const more = page.next !== undefined || all.length > limit;
  const isNamed = (segment: Segment): boolean => foldName(segment.name) === foldName(name);
  return {
    segments: ids.flatMap((id) => segments.get(id) ?? []).filter((one) => isCurrent(one) && isNamed(one)),
    ...(more && last !== undefined ? { next: last } : {}),
  };
};

/** Extra items asked of each shard: ids are spread evenly but for gaps. */
const SLACK = 4;

interface ListDeps {
  readonly table: Table;
  /** Segments of their items, as they are called now. */
  readonly read: (property: number, items: readonly StoredItem[]) => Promise<readonly Segment[]>;
}

/** All segments in order of id, merged from the shards. */
export const listSegments = async (
  deps: ListDeps,
  property: number,
  { limit, after }: PageWanted,
): Promise<SegmentPage> => {
  const found: Segment[] = after === undefined ? [everyoneOf(property)] : [];
  let next: number | undefined = after ?? everyoneId(property);
  while (next !== undefined && found.length < limit) {
    const stretch = await readStretch(deps, property, next, limit - found.length);
    found.push(...stretch.segments);
    next = stretch.next;
  }
  const segments = found.slice(0, limit);
  const last = segments.at(-1)?.id;
  const more = next !== undefined || found.length > limit;
  return more && last !== undefined ? { segments, next: last } : { segments };
};

/**
 * The next segments behind an id, in order: as far as every shard has been read. Reads a little more from each shard
 * than its even share, so that one stretch nearly always fills a page.
 */
const readStretch = async (
  { table, read }: ListDeps,
  property: number,
  after: number,
  wanted: number,
): Promise<SegmentPage> => {
  const { sk } = keys.segment(property, after);
  const share = Math.ceil(wanted / SEGMENT_SHARDS) + SLACK;
  const pages = await Promise.all(
    Array.from({ length: SEGMENT_SHARDS }, (_, shard) =>
      table.query(keys.segmentShard(property, shard), { after: sk, limit: share }),
    ),
  );
  const cut = pages.flatMap(({ next }) => (next === undefined ? [] : [next])).sort()[0];
  const items = pages.flatMap((page) => page.items).filter(({ sk }) => cut === undefined || sk <= cut);
  const segments = (await read(property, items)).filter(isCurrent).sort((a, b) => a.id - b.id);
  return cut === undefined ? { segments } : { segments, next: Number(cut) };
};
