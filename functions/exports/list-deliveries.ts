import { listDeliveries as listDeliveriesUseCase } from '../../shared/exports/read-deliveries.ts';
import { exportRepository } from '../../shared/exports/repository.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { listDeliveries } from './delivery-entries.ts';

export const handler = apiHandler(listDeliveries, () => {
  const deps = { exports: exportRepository(tableFromEnv()) };
  return (request) => listDeliveriesUseCase(deps, request);
});
