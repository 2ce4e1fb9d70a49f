import { allItems } from '../table/all-items.ts';
import { keys, SEGMENT_SHARDS } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { identityKey } from '../catalogue/identity.ts';
import { parseSegment } from '../catalogue/segment-items.ts';
import type { Brands } from '../catalogue/brands.ts';

/** The segment of a brand that a version change affects. */
export interface Affected {
  readonly segment: number;
  /** Its key in the previous version. */
  readonly key: string;
}

/** The segments of a property with one of these keys in a version, in order of id. */
export const affectedSegments = async (
  { table, catalogue }: { readonly table: Table; readonly catalogue: Pick<SegmentCatalogue, 'getMany'> },
  property: number,
  { before, moved }: { readonly before: Brands; readonly moved: { has(key: string): boolean } },
): Promise<readonly Affected[]> => {
  const brands: number[] = [];
  for (let shard = 0; shard < SEGMENT_SHARDS; shard += 1) {
    for (const item of await allItems(table, keys.segmentShard(property, shard)))
      if (item['type'] === 'brand') brands.push(parseSegment(item).id);
  }
  const segments = await catalogue.getMany(property, brands, before);
  return [...segments.values()]
    .filter((segment) => !segment.retired && moved.has(identityKey(segment)))
    .map((segment) => ({ segment: segment.id, key: identityKey(segment) }))
    .sort((a, b) => a.segment - b.segment);
};
