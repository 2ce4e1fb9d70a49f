import { failFile, internalFailure } from '../../shared/imports/fail-file.ts';
import { jobReference } from '../../shared/imports/messages.ts';
import { taskHandler } from '../../shared/runtime/task-handler.ts';
import { importDeps } from './deps.ts';

export const handler = taskHandler(jobReference, () => {
  const deps = importDeps();
  return (reference) => failFile(deps, reference, internalFailure);
});
