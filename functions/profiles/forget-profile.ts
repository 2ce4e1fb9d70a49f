import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readKeysAhead } from '../../shared/properties/property-keys.ts';
import { forgetProfile } from '../../shared/ingest/forget-profile.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { auditLogFromEnv } from '../../shared/table/dynamo-client.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { profileWriterDeps } from './deps.ts';
import { disclosuresFromEnv } from './disclosure-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(
  entries.forgetProfile,
  forgetProfile,
  (env) => {
    const deps = profileWriterDeps(env);
    return {
      ...deps,
      moments: momentMembers(deps),
      forgettings: auditLogFromEnv(env),
      forgotten: forgottenPeople(deps.table),
      disclosuresOf: disclosuresFromEnv(env),
    };
  },
  readKeysAhead,
);
