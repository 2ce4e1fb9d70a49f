import type { UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import { err, ok } from '../runtime/result.ts';
import { findProfile } from './lookup.ts';
import { toReturned, type ProfileRepository } from './repository.ts';
import type { LookupQuery } from './schemas.ts';
import type { PropertyScope } from './types.ts';

/** What looking up a profile needs. */
export interface GetProfileDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly profiles: ProfileRepository;
}

/** Looks up one profile by an identity or its UUID: all 23 fields, or 404. */
export const getProfileUseCase =
  ({ scopeOf, profiles }: GetProfileDeps): UseCase<LookupQuery, undefined> =>
  async ({ property, query }) => {
    const scope = await scopeOf(property.id);
    const profile = await findProfile(profiles, scope, query);
    return profile
      ? ok({ status: 200, body: { profile: toReturned(profile, scope) } })
      : err(problems.notFound());
  };
