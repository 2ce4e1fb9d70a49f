import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listErasures } from '../../shared/retention/erasures.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listErasures, listErasures, (env) => ({
  table: tableFromEnv(env),
  ...linkDeps(env),
}));
