import { propertyScope } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getProfileUseCase } from '../../shared/profiles/get-profile.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { getProfile } from './entries.ts';

export const handler = apiHandler(getProfile, () =>
  getProfileUseCase({ scopeOf: propertyScope, profiles: profileRepository({ table: tableFromEnv() }) }),
);
