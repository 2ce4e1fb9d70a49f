import type { Table } from '../../shared/table/table.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { credentialsFromEnv, tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { ok } from '../../shared/runtime/result.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { keys } from '../../shared/table/keys.ts';
import * as entries from './entries.ts';

/** Answers 200 while both tables can be read, and 503 like every route when one of them cannot. */
export const handler = publicHandler(
  entries.health,
  async ({ credentials, table }: { readonly credentials: Table; readonly table: Table }) => {
    await Promise.all([credentials.get(credentialKeys.counter('account')), table.get(keys.brandPointer)]);
    return ok({ status: 200, body: { status: 'ok' } });
  },
  (env) => ({ credentials: credentialsFromEnv(env), table: tableFromEnv(env) }),
);
