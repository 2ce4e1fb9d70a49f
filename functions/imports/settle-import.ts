import { jobReference } from '../../shared/imports/messages.ts';
import { settleImport } from '../../shared/imports/settle-import.ts';
import { taskHandler } from '../../shared/runtime/task-handler.ts';
import { importDeps, drainingBarrier } from './deps.ts';

export const handler = taskHandler(jobReference, () => {
  const deps = { ...importDeps(), barrier: drainingBarrier() };
  return (reference) => settleImport(deps, reference);
});
