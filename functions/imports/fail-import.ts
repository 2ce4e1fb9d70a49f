import { failFile, internalFailure } from '../../shared/imports/jobs/fail-import.ts';
import { jobReference } from '../../shared/imports/model/job-messages.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { importDeps } from './deps.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

export const handler = taskHandler(
  jobReference,
  (deps, reference) => failFile(deps, reference, internalFailure),
  (env: EnvOf<typeof entries.failImport>) => importDeps(env),
);
