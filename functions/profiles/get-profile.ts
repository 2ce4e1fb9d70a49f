import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getProfile } from '../../shared/profiles/get-profile.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { segmentsOfProfile } from '../../shared/segments/segments-of-profile.ts';
import { segmentDeps } from '../segments/deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.getProfile, getProfile, (env) => {
  const deps = segmentDeps(env);
  return {
    scopeOf: scopesFromEnv(env),
    profiles: profileRepository(deps),
    segmentsOf: (property, profile, now) => segmentsOfProfile(deps, property, profile, now),
  };
});
