import { failFile, fileFailure } from '../../shared/imports/fail-file.ts';
import { jobReference } from '../../shared/imports/messages.ts';
import { taskHandler } from '../../shared/runtime/task-handler.ts';
import { importDeps } from './deps.ts';

/** The workflow's own error stays in its log: it is ours, not the client's. */
const failure = fileFailure(
  'internal_error',
  'The import failed for a reason on our side; upload the file again.',
);

export const handler = taskHandler(jobReference, () => {
  const deps = importDeps();
  return (reference) => failFile(deps, reference, failure);
});
