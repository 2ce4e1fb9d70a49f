import { replayDelivery } from '../../shared/exports/delivery/replay-delivery.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { forgottenFromEnv } from './forgotten-deps.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import * as entries from './delivery-entries.ts';

export const handler = apiHandler(entries.replayDelivery, replayDelivery, (env) => ({
  table: tableFromEnv(env),
  pause: jitteredPause,
  exports: exportRepository(tableFromEnv(env)),
  hasForgotten: forgottenFromEnv(env),
  deliveries: workflow(env('DELIVER_EXPORT_WORKFLOW_ARN'), env('TABLE_NAME')),
}));
