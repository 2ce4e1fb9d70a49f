import { getCaller } from '../../shared/auth/get-caller.ts';
import { callerHandler } from '../../shared/edge/api-handler.ts';
import { credentialsFromEnv, tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './entries.ts';

export const handler = callerHandler(entries.getCaller, getCaller, (env) => ({
  table: tableFromEnv(env),
  credentials: credentialsFromEnv(env),
}));
