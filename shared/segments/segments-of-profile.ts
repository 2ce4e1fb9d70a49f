import type { BrandVersionSource } from '../catalogue/brand-versions.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { segmentsOf } from '../catalogue/derive.ts';
import type { Segment } from '../catalogue/types.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import type { Table } from '../table/table.ts';
import { customSegmentsHolding } from './custom-segments-holding.ts';

export interface SegmentsOfProfileDeps {
  readonly table: Table;
  readonly catalogue: Pick<SegmentCatalogue, 'findIds' | 'getMany'>;
  readonly brands: BrandVersionSource;
}

/**
 * The segments of a profile at a time (epoch milliseconds): those of its values, then the custom segments. Values beyond
 * the segment quota are no segments.
 */
export const segmentsOfProfile = async (
  { table, catalogue, brands }: SegmentsOfProfileDeps,
  property: number,
  profile: ResolvedProfile,
  now: number,
): Promise<readonly Segment[]> => {
  const derived = segmentsOf(profile, now, (await brands()).at(now));
  const ids = await catalogue.findIds(property, [...derived.values()]);
  const segments = [...derived].flatMap(([key, identity]): readonly Segment[] => {
    const id = ids.get(key);
    return id === undefined ? [] : [{ ...identity, id }];
  });
  const member = { property, ordinal: profile.ordinal, segments: new Set(ids.values()) };
  return [...segments, ...(await customSegmentsHolding(table, catalogue, member))];
};
