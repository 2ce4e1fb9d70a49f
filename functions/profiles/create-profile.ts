import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readKeysAhead } from '../../shared/properties/property-keys.ts';
import { createProfile } from '../../shared/ingest/create-profile.ts';
import { enrichmentFromEnv } from './enrichment-deps.ts';
import { profileWriterDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(
  entries.createProfile,
  createProfile,
  (env) => {
    const deps = profileWriterDeps(env);
    return { ...deps, enrichment: enrichmentFromEnv(env, deps) };
  },
  readKeysAhead,
);
