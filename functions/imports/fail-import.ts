import { failFile, internalFailure } from '../../shared/imports/jobs/fail-import.ts';
import { jobReference } from '../../shared/imports/model/job-messages.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { importDeps } from './deps.ts';

export const handler = taskHandler(jobReference, () => {
  const deps = importDeps();
  return (reference) => failFile(deps, reference, internalFailure);
});
