import type { UseCase } from '../http/api-types.ts';
import { limits } from '../config/limits.ts';
import { nobodyFound } from '../http/not-found.ts';
import { problems, type Problem } from '../http/problem.ts';
import { err, ok } from '../runtime/result.ts';
import { findProfile } from './find-profile.ts';
import { includedIn, type SegmentsOf } from './included.ts';
import { provenanceOf } from './provenance.ts';
import { profileView, type ProfileRepository } from './profile-repository.ts';
import type { ProfileQuery } from './schemas.ts';
import type { ResolvedProfile } from './types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { sealOrdinal } from './profile-uuid.ts';

export interface GetProfileDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly profiles: ProfileRepository;
  readonly segmentsOf: SegmentsOf;
}

/**
 * Looks up one profile by an identity or its UUID. Returns all 23 fields, or 404. With `explain` the response also
 * contains the source of each value; `include` adds other values and the segments.
 */
export const getProfile: UseCase<GetProfileDeps, ProfileQuery> = async (
  { scopeOf, profiles, segmentsOf },
  { property, query, now },
) => {
  const scope = await scopeOf(property.id);
  const candidates = await candidatesOf(profiles, scope, query);
  const [found] = candidates;
  if (!found) return err(nobodyFound(property, query));
  if (candidates.length > 1)
    return err(severalPeople(candidates.map(({ ordinal }) => sealOrdinal(scope.keys.uuid, ordinal))));
  const audited = { profile_uuid: sealOrdinal(scope.keys.uuid, found.ordinal) };
  // Reads the profile again together with its state, so that the values and their explanation are of one version.
  const explained = query.explain ? await profiles.readWithState(property.id, found.ordinal) : undefined;
  if (query.explain && !explained) return err(nobodyFound(property, query));
  const profile = explained?.profile ?? found;
  const include = query.include ?? new Set();
  const segments = include.has('segments') ? await segmentsOf(property.id, profile, now) : [];
  const body = {
    profile: profileView(profile, scope),
    ...includedIn(profile, segments, include),
    ...(explained && { provenance: provenanceOf(explained.state) }),
  };
  return ok({ status: 200, audited, body });
};

/** The profiles that a query may mean: at most one by an identity, several by a phone number. */
const candidatesOf = async (
  profiles: ProfileRepository,
  scope: PropertyScope,
  query: ProfileQuery,
): Promise<readonly ResolvedProfile[]> => {
  if (query.phone_number !== undefined)
    return profiles.findByPhone(scope, query.phone_number, limits.profiles.peopleOfPhone);
  const found = await findProfile(profiles, scope, query);
  return found ? [found] : [];
};

const severalPeople = (uuids: readonly string[]): Problem => ({
  ...problems.conflict('several_people', 'Several people have this number; look one up by profile_uuid.'),
  errors: uuids.map((uuid) => ({ pointer: '/phone_number', code: 'profile_uuid', detail: uuid })),
});
