import { runAgain } from '../../shared/exports/runs/run-again.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { runDeps } from './deps.ts';
import { createExportJob } from './entries.ts';

export const handler = apiHandler(createExportJob, () => {
  const deps = runDeps();
  return (request) => runAgain(deps, request);
});
