import { listDeliveries as listDeliveriesUseCase } from '../../shared/exports/delivery/list-deliveries.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { listDeliveries } from './delivery-entries.ts';

export const handler = apiHandler(listDeliveries, () => {
  const deps = { exports: exportRepository(tableFromEnv()) };
  return (request) => listDeliveriesUseCase(deps, request);
});
