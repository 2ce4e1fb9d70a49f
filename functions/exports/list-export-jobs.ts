import { listExportJobs as listExportJobsUseCase } from '../../shared/exports/definitions/read-exports.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readDeps } from './deps.ts';
import { listExportJobs } from './entries.ts';

export const handler = apiHandler(listExportJobs, () => {
  const deps = readDeps();
  return (request) => listExportJobsUseCase(deps, request);
});
