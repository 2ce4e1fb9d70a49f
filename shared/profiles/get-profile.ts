import type { Announce, UseCase } from '../http/api-types.ts';
import { limits } from '../config/limits.ts';
import { nobodyFound } from '../http/not-found.ts';
import { problems, type Problem } from '../http/problem.ts';
import { err, ok } from '../runtime/result.ts';
import { findProfile } from './find-profile.ts';
import { includedIn, type SegmentsOf } from './included.ts';
import { provenanceOf } from './provenance.ts';
import { profileView, type FoundProfile, type ProfileRepository } from './profile-repository.ts';
import type { ProfileQuery } from './schemas.ts';
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
  { property, query, now, announce },
) => {
  const scope = await scopeOf(property.id);
  const candidates = await candidatesOf(profiles, scope, query, announce);
  const [found] = candidates;
  if (!found) return err(nobodyFound(property, query));
  if (candidates.length > 1)
    return err(severalPeople(candidates.map(({ profile }) => sealOrdinal(scope.keys.uuid, profile.ordinal))));
  const profile_uuid = sealOrdinal(scope.keys.uuid, found.profile.ordinal);
  const explained = query.explain ? await withState(profiles, property.id, found) : undefined;
  if (query.explain && !explained) return err(nobodyFound(property, query));
  const { profile } = explained ?? found;
  const include = query.include ?? new Set();
  const segments = include.has('segments') ? await segmentsOf(property.id, profile, now) : [];
  const body = {
    profile: profileView(profile, profile_uuid),
    ...includedIn(profile, { segments, now }, include),
    ...(explained && { provenance: provenanceOf(explained.state) }),
  };
  return ok({ status: 200, audited: { profile_uuid }, body });
};

/** A profile that a query may mean. A search by a phone number finds it without its state. */
type Candidate = Pick<FoundProfile, 'profile'> & Partial<FoundProfile>;

/** The profile with its state, read again if it came without: the values and their explanation are of one version. */
const withState = async (
  profiles: ProfileRepository,
  property: number,
  { profile, state }: Candidate,
): Promise<FoundProfile | undefined> =>
  state ? { profile, state } : profiles.readWithState(property, profile.ordinal);

/** The profiles that a query may mean: at most one by an identity, several by a phone number. */
const candidatesOf = async (
  profiles: ProfileRepository,
  scope: PropertyScope,
  query: ProfileQuery,
  announce: Announce | undefined,
): Promise<readonly Candidate[]> => {
  if (query.phone_number !== undefined) {
    const found = await profiles.findByPhone(scope, query.phone_number, limits.profiles.peopleOfPhone);
    return found.map((profile) => ({ profile }));
  }
  const found = await findProfile(profiles, scope, query, announce);
  return found ? [found] : [];
};

const severalPeople = (uuids: readonly string[]): Problem => ({
  ...problems.conflict('several_people', 'Several people have this number; look one up by profile_uuid.'),
  errors: uuids.map((uuid) => ({ pointer: '/phone_number', code: 'profile_uuid', detail: uuid })),
});
