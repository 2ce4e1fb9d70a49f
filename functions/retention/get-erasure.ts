import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getErasure } from '../../shared/retention/erasures.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.getErasure, getErasure, (env) => ({ table: tableFromEnv(env) }));
