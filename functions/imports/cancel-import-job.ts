import { apiHandler } from '../../shared/edge/api-handler.ts';
import { cancelImportJob as useCase } from '../../shared/imports/jobs/cancel-import-job.ts';
import { importDeps, lookingBarrier } from './deps.ts';
import { cancelImportJob } from './entries.ts';

export const handler = apiHandler(cancelImportJob, () => {
  const deps = { ...importDeps(), barrier: lookingBarrier() };
  return (request) => useCase(deps, request);
});
