import { failFile, internalFailure } from '../../shared/imports/jobs/fail-import.ts';
import { jobReference } from '../../shared/imports/model/job-messages.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { importDeps } from './deps.ts';
import * as entries from './task-entries.ts';

export const handler = taskHandler(
  entries.failImport,
  jobReference,
  (deps, reference) => failFile(deps, reference, internalFailure),
  importDeps,
);
