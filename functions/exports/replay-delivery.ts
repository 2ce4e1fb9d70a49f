import { replayDelivery as replayDeliveryUseCase } from '../../shared/exports/delivery/replay-delivery.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { replayDelivery } from './delivery-entries.ts';

export const handler = apiHandler(replayDelivery, () => {
  const deps = {
    exports: exportRepository(tableFromEnv()),
    deliveries: workflow(env('DELIVER_EXPORT_WORKFLOW_ARN')),
  };
  return (request) => replayDeliveryUseCase(deps, request);
});
