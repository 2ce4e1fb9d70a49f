import { publicHandler } from '../../shared/edge/public-handler.ts';
import { credentialsFromEnv, tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { ok } from '../../shared/runtime/result.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { keys } from '../../shared/table/keys.ts';
import { health } from './entries.ts';

/** 200 while both tables can be read; a table that cannot be read is 503, as everywhere. */
export const handler = publicHandler(health, () => {
  const [credentials, table] = [credentialsFromEnv(), tableFromEnv()];
  return async () => {
    await Promise.all([credentials.get(credentialKeys.counter('account')), table.get(keys.brandPointer)]);
    return ok({ status: 200, body: { status: 'ok' } });
  };
});
