import { collectionRepository } from '../../shared/collections/repository.ts';
import { createExport as createExportUseCase } from '../../shared/exports/create-export.ts';
import { exportRepository } from '../../shared/exports/repository.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { segmentCatalogue } from '../../shared/segments/catalogue.ts';
import { webhookStage } from '../../shared/webhooks/stage.ts';
import { createExport } from './entries.ts';

export const handler = apiHandler(createExport, () => {
  const table = tableFromEnv();
  const deps = {
    table,
    pause: jitteredPause,
    catalogue: segmentCatalogue({ table }),
    collections: collectionRepository(table),
    exports: exportRepository(table),
    keyService: keyService(env('PROPERTY_KEY_ID')),
    workflow: workflow(env('RUN_EXPORT_WORKFLOW_ARN')),
    ids: systemIds,
    stage: webhookStage(),
  };
  return (request) => createExportUseCase(deps, request);
});
