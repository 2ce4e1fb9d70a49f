import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createImportJob as useCase } from '../../shared/imports/jobs/create-import-job.ts';
import { importDeps } from './deps.ts';
import { createImportJob } from './entries.ts';

export const handler = apiHandler(createImportJob, () => {
  const deps = importDeps();
  return (request) => useCase(deps, request);
});
