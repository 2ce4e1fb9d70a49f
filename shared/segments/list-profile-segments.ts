import type { UseCase } from '../http/api-types.ts';
import { nobodyFound } from '../http/not-found.ts';
import { findProfile } from '../profiles/find-profile.ts';
import type { ProfileRepository } from '../profiles/profile-repository.ts';
import type { LookupQuery } from '../profiles/schemas.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { sealOrdinal } from '../profiles/profile-uuid.ts';
import { err, ok } from '../runtime/result.ts';
import { treeOf } from '../catalogue/tree.ts';
import { segmentsOfProfile, type SegmentsOfProfileDeps } from './segments-of-profile.ts';

export interface ProfileSegmentsDeps extends SegmentsOfProfileDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly profiles: Pick<ProfileRepository, 'find'>;
}

/** The segments of one profile as a tree; 404 when no profile is found. */
export const listProfileSegments: UseCase<ProfileSegmentsDeps, LookupQuery> = async (
  { scopeOf, profiles, ...deps },
  { property, query, now, announce },
) => {
  const scope = await scopeOf(property.id);
  const found = await findProfile(profiles, scope, query, announce);
  if (!found) return err(nobodyFound(property, query));
  const { profile } = found;
  const segments = await segmentsOfProfile(deps, property.id, profile, now);
  return ok({
    status: 200,
    audited: { profile_uuid: sealOrdinal(scope.keys.uuid, profile.ordinal) },
    body: treeOf(segments),
  });
};
