import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getProfile } from '../../shared/profiles/get-profile.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.getProfile, getProfile, (env) => ({
  scopeOf: scopesFromEnv(env),
  profiles: profileRepository({ table: tableFromEnv(env) }),
}));
