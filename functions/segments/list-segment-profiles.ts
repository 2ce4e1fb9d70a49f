import { propertyScope } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { env } from '../../shared/runtime/env.ts';
import { listSegmentProfilesUseCase } from '../../shared/segments/list-segment-profiles.ts';
import { segmentDeps } from './deps.ts';
import { listSegmentProfiles } from './entries.ts';

export const handler = apiHandler(listSegmentProfiles, () =>
  listSegmentProfilesUseCase({ ...segmentDeps(), scopeOf: propertyScope, baseUrl: env('BASE_URL') }),
);
