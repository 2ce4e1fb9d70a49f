import { jobReference } from '../../shared/imports/messages.ts';
import { settleImport } from '../../shared/imports/settle-import.ts';
import { taskHandler } from '../../shared/runtime/task-handler.ts';
import { importDeps, lookingBarrier } from './deps.ts';

export const handler = taskHandler(jobReference, () => {
  const deps = { ...importDeps(), barrier: lookingBarrier() };
  return (reference) => settleImport(deps, reference);
});
