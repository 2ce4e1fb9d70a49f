import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listObjections } from '../../shared/ingest/objections.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './objection-entries.ts';

export const handler = apiHandler(entries.listObjections, listObjections, (env) => ({
  table: tableFromEnv(env),
  ...linkDeps(env),
}));
