import { propertyScope } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { listProfileSegmentsUseCase } from '../../shared/segments/list-profile-segments.ts';
import { segmentDeps } from './deps.ts';
import { listProfileSegments } from './entries.ts';

export const handler = apiHandler(listProfileSegments, () => {
  const deps = segmentDeps();
  return listProfileSegmentsUseCase({ ...deps, scopeOf: propertyScope, profiles: profileRepository(deps) });
});
