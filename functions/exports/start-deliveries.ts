import { exportRepository } from '../../shared/exports/model/repository.ts';
import { startDeliveries } from '../../shared/exports/delivery/start-deliveries.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { jobRef } from './job-ref.ts';

export const handler = taskHandler(jobRef, () => {
  const deps = {
    exports: exportRepository(tableFromEnv()),
    deliveries: workflow(env('DELIVER_EXPORT_WORKFLOW_ARN')),
  };
  return (ref) => startDeliveries(deps, ref);
});
