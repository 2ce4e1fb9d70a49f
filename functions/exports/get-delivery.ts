import { getDelivery } from '../../shared/exports/delivery/get-delivery.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './delivery-entries.ts';

export const handler = apiHandler(entries.getDelivery, getDelivery, (env) => ({
  exports: exportRepository(tableFromEnv(env)),
}));
