import { jobReference } from '../../shared/imports/model/job-messages.ts';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { importDeps, drainingBarrier } from './deps.ts';

export const handler = taskHandler(jobReference, () => {
  const deps = { ...importDeps(), barrier: drainingBarrier() };
  return (reference) => settleImport(deps, reference);
});
