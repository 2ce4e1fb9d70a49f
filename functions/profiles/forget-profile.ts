import { apiHandler } from '../../shared/edge/api-handler.ts';
import { forgetProfileUseCase } from '../../shared/ingest/forget-profile.ts';
import { auditLogFromEnv } from '../../shared/table/dynamo-client.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { profileWriterDeps } from './deps.ts';
import { forgetProfile } from './entries.ts';

export const handler = apiHandler(forgetProfile, () => {
  const deps = profileWriterDeps();
  return forgetProfileUseCase({ ...deps, moments: momentMembers(deps), forgettings: auditLogFromEnv() });
});
