import { getCallerUseCase } from '../../shared/auth/get-caller.ts';
import { callerHandler } from '../../shared/edge/api-handler.ts';
import { credentialsFromEnv } from '../../shared/table/dynamo-client.ts';
import { getCaller } from './entries.ts';

export const handler = callerHandler(getCaller, () =>
  getCallerUseCase({ credentials: credentialsFromEnv() }),
);
