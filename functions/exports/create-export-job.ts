import { runAgain } from '../../shared/exports/run-again.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { runDeps } from './deps.ts';
import { createExportJob } from './entries.ts';

export const handler = apiHandler(createExportJob, () => {
  const deps = runDeps();
  return (request) => runAgain(deps, request);
});
