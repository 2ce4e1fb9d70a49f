import { listTokens } from '../../shared/auth/list-tokens.ts';
import { callerHandler } from '../../shared/edge/api-handler.ts';
import { credentialsFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './entries.ts';

export const handler = callerHandler(entries.listTokens, listTokens, (env) => ({
  credentials: credentialsFromEnv(env),
}));
