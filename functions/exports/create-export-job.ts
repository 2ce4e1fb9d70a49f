import { createExportJob as useCase } from '../../shared/exports/runs/create-export-job.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { runDeps } from './deps.ts';
import { createExportJob } from './entries.ts';

export const handler = apiHandler(createExportJob, () => {
  const deps = runDeps();
  return (request) => useCase(deps, request);
});
