import { getDelivery as getDeliveryUseCase } from '../../shared/exports/read-deliveries.ts';
import { exportRepository } from '../../shared/exports/repository.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { getDelivery } from './delivery-entries.ts';

export const handler = apiHandler(getDelivery, () => {
  const deps = { exports: exportRepository(tableFromEnv()) };
  return (request) => getDeliveryUseCase(deps, request);
});
