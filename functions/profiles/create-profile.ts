import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createProfileUseCase } from '../../shared/ingest/create-profile.ts';
import { enrichmentFromEnv } from './enrichment-deps.ts';
import { profileWriterDeps } from './deps.ts';
import { createProfile } from './entries.ts';

export const handler = apiHandler(createProfile, () => {
  const deps = profileWriterDeps();
  return createProfileUseCase({ ...deps, enrichment: enrichmentFromEnv(deps) });
});
