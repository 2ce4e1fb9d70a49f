import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { momentsHolding } from '../../shared/membership/moments.ts';
import { accessRequest } from '../../shared/profiles/access-request.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { segmentsOfProfile } from '../../shared/segments/segments-of-profile.ts';
import { segmentDeps } from '../segments/deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.accessRequest, accessRequest, (env) => {
  const deps = segmentDeps(env);
  return {
    scopeOf: scopesFromEnv(env),
    profiles: profileRepository(deps),
    segmentsOf: (property, profile, now) => segmentsOfProfile(deps, property, profile, now),
    momentsOf: (property, ordinal) => momentsHolding(deps.table, property, ordinal),
    work: objectStore(env('WORK_BUCKET')),
  };
});
