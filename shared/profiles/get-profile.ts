import type { UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import { err, ok } from '../runtime/result.ts';
import { findProfile } from './lookup.ts';
import { provenanceOf } from './provenance.ts';
import { toReturned, type ProfileRepository } from './repository.ts';
import type { ProfileQuery } from './schemas.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { sealOrdinal } from './uuid.ts';

/** What looking up a profile needs. */
export interface GetProfileDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly profiles: ProfileRepository;
}

/**
 * Looks up one profile by an identity or its UUID: all 23 fields, or 404. With `explain` the answer also says where each
 * value came from.
 */
export const getProfileUseCase =
  ({ scopeOf, profiles }: GetProfileDeps): UseCase<ProfileQuery, undefined> =>
  async ({ property, query }) => {
    const scope = await scopeOf(property.id);
    const found = await findProfile(profiles, scope, query);
    if (!found) return err(problems.notFound());
    const audited = { profile_uuid: sealOrdinal(scope.keys.uuid, found.ordinal) };
    if (!query.explain) return ok({ status: 200, audited, body: { profile: toReturned(found, scope) } });
    // Read again, so that what is shown and what it is explained by are of one moment.
    const whole = await profiles.readWhole(property.id, found.ordinal);
    if (!whole) return err(problems.notFound());
    const body = { profile: toReturned(whole.profile, scope), provenance: provenanceOf(whole.state) };
    return ok({ status: 200, audited, body });
  };
