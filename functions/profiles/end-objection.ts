import { apiHandler } from '../../shared/edge/api-handler.ts';
import { endObjection } from '../../shared/ingest/objections.ts';
import { readKeysAhead } from '../../shared/properties/property-keys.ts';
import { auditLogFromEnv } from '../../shared/table/dynamo-client.ts';
import { profileWriterDeps } from './deps.ts';
import * as entries from './objection-entries.ts';

export const handler = apiHandler(
  entries.endObjection,
  endObjection,
  (env) => ({ ...profileWriterDeps(env), forgettings: auditLogFromEnv(env) }),
  readKeysAhead,
);
