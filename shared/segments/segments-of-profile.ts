import type { DerivationSource } from '../catalogue/derivation.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { isCurrent, isCustom, isPreparing } from '../catalogue/identity.ts';
import { segmentsOf } from '../catalogue/derive.ts';
import { isIn } from '../catalogue/definition.ts';
import { claimedSegment } from '../catalogue/segment-items.ts';
import type { Segment } from '../catalogue/types.ts';
import { segmentsHolding } from '../membership/moments.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import { allItems } from '../table/all-items.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

export interface SegmentsOfProfileDeps {
  readonly table: Table;
  readonly catalogue: Pick<SegmentCatalogue, 'findIds' | 'getMany' | 'indexed'>;
  readonly derivations: DerivationSource;
}

/**
 * The segments of a profile at a time (epoch milliseconds): those of its values, then the conditions that are ready, then the
 * custom segments. Values beyond the segment quota are no segments.
 */
export const segmentsOfProfile = async (
  { table, catalogue, derivations }: SegmentsOfProfileDeps,
  property: number,
  profile: ResolvedProfile,
  now: number,
): Promise<readonly Segment[]> => {
  const derived = segmentsOf(profile, now, (await derivations.of(property)).at(now));
  const ids = await catalogue.findIds(property, [...derived.values()]);
  const segments = [...derived].flatMap(([key, identity]): readonly Segment[] => {
    const id = ids.get(key);
    return id === undefined ? [] : [{ ...identity, id }];
  });
  const [values, conditions] = [segments.filter((one) => !isRule(one)), segments.filter(isRule)];
  const member = { property, ordinal: profile.ordinal, segments: new Set(ids.values()) };
  const [named, customs] = await Promise.all([
    readyConditions(catalogue, property, conditions),
    customSegmentsHolding(table, catalogue, member),
  ]);
  return [...values, ...named, ...customs];
};

const isRule = ({ type }: Segment): boolean => type === 'condition';

/** Those of these conditions that are ready, with their present names: what is derived from does not change with them. */
const readyConditions = async (
  catalogue: Pick<SegmentCatalogue, 'indexed'>,
  property: number,
  conditions: readonly Segment[],
): Promise<readonly Segment[]> => {
  if (conditions.length === 0) return [];
  const present = await catalogue.indexed(
    property,
    conditions.map(({ id }) => id),
  );
  return [...present.values()].filter((one) => !isPreparing(one)).sort((one, other) => one.id - other.id);
};

/** A profile, and the ids of its derived segments. */
interface Member {
  readonly property: number;
  readonly ordinal: number;
  readonly segments: ReadonlySet<number>;
}

/**
 * The current custom segments of a profile, computed from its derived segments. Reads the index only for the moments in
 * definitions: the members of a moment do not follow from the present values of a profile.
 */
const customSegmentsHolding = async (
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
