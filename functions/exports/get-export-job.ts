import { getExportJob as getExportJobUseCase } from '../../shared/exports/definitions/get-export-job.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readDeps } from './deps.ts';
import { getExportJob } from './entries.ts';

export const handler = apiHandler(getExportJob, () => {
  const deps = readDeps();
  return (request) => getExportJobUseCase(deps, request);
});
