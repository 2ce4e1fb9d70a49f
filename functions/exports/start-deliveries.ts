import { exportRepository } from '../../shared/exports/model/repository.ts';
import { startDeliveries } from '../../shared/exports/delivery/start-deliveries.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './delivery-entries.ts';

export const handler = taskHandler(jobRef, startDeliveries, (env: EnvOf<typeof entries.startDeliveries>) => ({
  exports: exportRepository(tableFromEnv(env)),
  deliveries: workflow(env('DELIVER_EXPORT_WORKFLOW_ARN'), env('TABLE_NAME')),
}));
