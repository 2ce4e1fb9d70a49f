import { getHostKey } from '../../shared/exports/definitions/get-host-key.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './delivery-entries.ts';

export const handler = apiHandler(entries.getHostKey, getHostKey, (env) => ({
  exports: exportRepository(tableFromEnv(env)),
}));
