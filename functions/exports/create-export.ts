import { createExport as createExportUseCase } from '../../shared/exports/create-export.ts';
import { exportRepository } from '../../shared/exports/repository.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { segmentCatalogue } from '../../shared/segments/catalogue.ts';
import { privateTargets } from './deps.ts';
import { createExport } from './entries.ts';

export const handler = apiHandler(createExport, () => {
  const table = tableFromEnv();
  const catalogue = segmentCatalogue({ table });
  const deps = {
    exports: exportRepository(table),
    keyService: keyService(env('PROPERTY_KEY_ID')),
    workflow: workflow(env('RUN_EXPORT_WORKFLOW_ARN')),
    ids: systemIds,
    stage: { baseUrl: env('BASE_URL'), privateTargets: privateTargets() },
    knownSegments: async (property: number, ids: readonly number[]) =>
      new Set((await catalogue.getMany(property, ids)).keys()),
  };
  return (request) => createExportUseCase(deps, request);
});
