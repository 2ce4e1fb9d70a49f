import { apiHandler } from '../../shared/http/api-handler.ts';
import { forgetProfileUseCase } from '../../shared/profiles/forget-profile.ts';
import { auditLogFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { momentMembers } from '../../shared/segments/moments.ts';
import { profileWriterDeps } from './deps.ts';
import { forgetProfile } from './entries.ts';

export const handler = apiHandler(forgetProfile, () => {
  const deps = profileWriterDeps();
  return forgetProfileUseCase({ ...deps, moments: momentMembers(deps), forgettings: auditLogFromEnv() });
});
