import { keys, SEGMENT_SHARDS } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { isCurrent, readableSegments } from './custom-items.ts';
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
}

/** Segments of a name in order of id. `everyone`, which stands nowhere in the table, is the first of those of its name. */
export const findSegments = async (
  { table, getMany }: FindDeps,
  property: number,
  { name, limit, after }: PageWanted & { readonly name: string },
): Promise<SegmentPage> => {
  const builtIn = after === undefined && foldName(name) === everyone.name ? [everyoneId(property)] : [];
  const { pk, sk } = nameKey(property, name, after ?? 0);
  const left = limit - builtIn.length;
  const page = await table.query(pk, { after: sk, limit: Math.max(left, 1) });
  const ids = [...builtIn, ...page.items.map(claimedSegment).slice(0, left)];
  const segments = await getMany(property, ids);
  const last = ids.at(-1);
  const more = page.next !== undefined || page.items.length > left;
  return {
    segments: ids.flatMap((id) => segments.get(id) ?? []).filter(isCurrent),
    ...(more && last !== undefined ? { next: last } : {}),
  };
};

/** Extra items asked of each shard: ids are spread evenly but for gaps. */
const SLACK = 4;

/** All segments in order of id, merged from the shards. */
export const listSegments = async (
  table: Table,
  property: number,
  { limit, after }: PageWanted,
): Promise<SegmentPage> => {
  const found: Segment[] = after === undefined ? [everyoneOf(property)] : [];
  let next: number | undefined = after ?? everyoneId(property);
  while (next !== undefined && found.length < limit) {
    const stretch = await readStretch(table, property, next, limit - found.length);
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
  table: Table,
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
  const segments = (await readableSegments(table, property, items))
    .filter(isCurrent)
    .sort((a, b) => a.id - b.id);
  return cut === undefined ? { segments } : { segments, next: Number(cut) };
};
