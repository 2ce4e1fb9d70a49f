import { createExport as createExportUseCase } from '../../shared/exports/definitions/create-export.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { defineDeps, exportWorkflow } from './deps.ts';
import { createExport } from './entries.ts';

export const handler = apiHandler(createExport, () => {
  const deps = { ...defineDeps(), workflow: exportWorkflow() };
  return (request) => createExportUseCase(deps, request);
});
