import type { UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import { err, ok } from '../runtime/result.ts';
import { findProfile } from './find-profile.ts';
import { provenanceOf } from './provenance.ts';
import { profileView, type ProfileRepository } from './profile-repository.ts';
import type { ProfileQuery } from './schemas.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { sealOrdinal } from './profile-uuid.ts';

export interface GetProfileDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly profiles: ProfileRepository;
}

/**
 * Looks up one profile by an identity or its UUID. Returns all 23 fields, or 404. With `explain` the response
 * also contains the source of each value.
 */
export const getProfile: UseCase<GetProfileDeps, ProfileQuery> = async (
  { scopeOf, profiles },
  { property, query },
) => {
  const scope = await scopeOf(property.id);
  const found = await findProfile(profiles, scope, query);
  if (!found) return err(problems.notFound());
  const audited = { profile_uuid: sealOrdinal(scope.keys.uuid, found.ordinal) };
  if (!query.explain) return ok({ status: 200, audited, body: { profile: profileView(found, scope) } });
  // Reads the profile again together with its state, so that the values and their explanation are of one
  // version.
  const whole = await profiles.readWithState(property.id, found.ordinal);
  if (!whole) return err(problems.notFound());
  const body = { profile: profileView(whole.profile, scope), provenance: provenanceOf(whole.state) };
  return ok({ status: 200, audited, body });
};
