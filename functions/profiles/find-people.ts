import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readKeysAhead, scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { findPeople, type FindPeopleDeps } from '../../shared/profiles/find-people.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './entries.ts';

const deps = (env: Env<'TABLE_NAME' | 'PROPERTY_KEY_ID'>): FindPeopleDeps => {
  const table = tableFromEnv(env);
  const { readEach } = profileRepository({ table });
  return { table, scopeOf: scopesFromEnv(env), readProfiles: readEach };
};

export const handler = apiHandler(entries.findPeople, findPeople, deps, readKeysAhead);
