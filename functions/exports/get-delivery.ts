import { getDelivery as getDeliveryUseCase } from '../../shared/exports/delivery/get-delivery.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { getDelivery } from './delivery-entries.ts';

export const handler = apiHandler(getDelivery, () => {
  const deps = { exports: exportRepository(tableFromEnv()) };
  return (request) => getDeliveryUseCase(deps, request);
});
