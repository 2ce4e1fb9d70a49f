import { deleteToken } from '../../shared/auth/delete-token.ts';
import { callerHandler } from '../../shared/edge/api-handler.ts';
import { credentialsFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './entries.ts';

export const handler = callerHandler(entries.deleteToken, deleteToken, (env) => ({
  credentials: credentialsFromEnv(env),
}));
