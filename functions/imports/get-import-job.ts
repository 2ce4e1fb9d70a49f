import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getImportJob as useCase } from '../../shared/imports/jobs/get-import-job.ts';
import { importDeps, lookingBarrier } from './deps.ts';
import { getImportJob } from './entries.ts';

export const handler = apiHandler(getImportJob, () => {
  const deps = { ...importDeps(), barrier: lookingBarrier() };
  return (request) => useCase(deps, request);
});
