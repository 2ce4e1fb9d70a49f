import { allItems } from '../table/all-items.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { isCurrent, isCustom } from '../catalogue/custom-items.ts';
import { segmentsHolding } from '../membership/moments.ts';
import { claimedSegment } from '../catalogue/segment-items.ts';
import { isIn } from '../catalogue/expression.ts';
import type { Segment } from '../catalogue/types.ts';

/** A profile, and the derived segments that it is in, by id. */
interface Member {
  readonly property: number;
  readonly ordinal: number;
  readonly segments: ReadonlySet<number>;
}

/**
 * The current custom segments that hold a profile, worked out from its own segments. Only of the moments that they name
 * memberships are read: of a moment nothing follows from what the profile is now.
 */
export const customSegmentsHolding = async (
  table: Table,
  catalogue: Pick<SegmentCatalogue, 'getMany'>,
  { property, ordinal, segments }: Member,
): Promise<readonly Segment[]> => {
  const items = await allItems(table, keys.customSegment(property, 0).pk);
  const listed = await catalogue.getMany(property, items.map(claimedSegment));
  const customs = [...listed.values()].filter(isCustom).filter(isCurrent);
  const named = new Set(customs.flatMap(({ custom }) => custom.moments));
  const moments = new Set(await segmentsHolding(table, property, ordinal, [...named]));
  return customs.filter(({ custom }) => isIn(custom.members, (id) => segments.has(id) || moments.has(id)));
};
