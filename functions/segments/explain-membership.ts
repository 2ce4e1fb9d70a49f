import { readKeysAhead, scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { explainMembership } from '../../shared/segments/explain/explain-membership.ts';
import { segmentDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(
  entries.explainMembership,
  explainMembership,
  (env) => {
    const deps = segmentDeps(env);
    return { ...deps, scopeOf: scopesFromEnv(env), profiles: profileRepository(deps) };
  },
  readKeysAhead,
);
