import { listExportJobs as listExportJobsUseCase } from '../../shared/exports/definitions/list-export-jobs.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readDeps } from './deps.ts';
import { listExportJobs } from './entries.ts';

export const handler = apiHandler(listExportJobs, () => {
  const deps = readDeps();
  return (request) => listExportJobsUseCase(deps, request);
});
