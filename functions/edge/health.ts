import { publicHandler } from '../../shared/http/public-handler.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { ok } from '../../shared/runtime/result.ts';
import { keys } from '../../shared/table/keys.ts';
import { health } from './entries.ts';

/** 200 while the table can be read; a table that cannot be read is 503, as everywhere. */
export const handler = publicHandler(health, () => {
  const table = tableFromEnv();
  return async () => {
    await table.get(keys.serviceCounter('account'));
    return ok({ status: 200, body: { status: 'ok' } });
  };
});
