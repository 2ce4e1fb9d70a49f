import { propertyScope } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { explainMembershipUseCase } from '../../shared/segments/explain/explain-membership.ts';
import { segmentDeps } from './deps.ts';
import { explainMembership } from './entries.ts';

export const handler = apiHandler(explainMembership, () => {
  const deps = segmentDeps();
  return explainMembershipUseCase({ ...deps, scopeOf: propertyScope, profiles: profileRepository(deps) });
});
