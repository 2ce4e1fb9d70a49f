import type { BrandVersionSource } from '../catalogue/brand-versions.ts';
import type { UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import { findProfile } from '../profiles/find-profile.ts';
import type { ProfileRepository } from '../profiles/profile-repository.ts';
import type { LookupQuery } from '../profiles/schemas.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { sealOrdinal } from '../profiles/profile-uuid.ts';
import { err, ok } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { customSegmentsHolding } from './custom-segments-holding.ts';
import { segmentsOf } from '../catalogue/derive.ts';
import { treeOf } from '../catalogue/tree.ts';

export interface ProfileSegmentsDeps {
  readonly table: Table;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly profiles: Pick<ProfileRepository, 'findByIdentity' | 'findByOrdinal'>;
  readonly catalogue: Pick<SegmentCatalogue, 'findIds' | 'getMany'>;
  readonly brands: BrandVersionSource;
}

/**
 * The segments of one profile as a tree; 404 when no profile is found. Values beyond the segment quota are no segments.
 */
export const listProfileSegments: UseCase<ProfileSegmentsDeps, LookupQuery> = async (
  { table, scopeOf, profiles, catalogue, brands },
  { property, query, now },
) => {
  const scope = await scopeOf(property.id);
  const profile = await findProfile(profiles, scope, query);
  if (!profile) return err(problems.notFound());
  const derived = segmentsOf(profile, now, (await brands()).at(now));
  const ids = await catalogue.findIds(property.id, [...derived.values()]);
  const segments = [...derived].filter(([key]) => ids.has(key)).map(([, identity]) => identity);
  const member = { property: property.id, ordinal: profile.ordinal, segments: new Set(ids.values()) };
  return ok({
    status: 200,
    audited: { profile_uuid: sealOrdinal(scope.keys.uuid, profile.ordinal) },
    body: treeOf([...segments, ...(await customSegmentsHolding(table, catalogue, member))]),
  });
};
