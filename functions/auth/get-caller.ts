import { getCallerUseCase } from '../../shared/auth/get-caller.ts';
import { callerHandler } from '../../shared/http/api-handler.ts';
import { credentialsFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { getCaller } from './entries.ts';

export const handler = callerHandler(getCaller, () =>
  getCallerUseCase({ credentials: credentialsFromEnv() }),
);
