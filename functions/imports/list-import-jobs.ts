import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listImportJobs as useCase } from '../../shared/imports/jobs/list-import-jobs.ts';
import { importDeps, listDeps, lookingBarrier } from './deps.ts';
import { listImportJobs } from './entries.ts';

export const handler = apiHandler(listImportJobs, () => {
  const deps = { ...importDeps(), ...listDeps(), barrier: lookingBarrier() };
  return (request) => useCase(deps, request);
});
