import { failFile, internalFailure } from '../../shared/imports/jobs/fail-import.ts';
import { jobReference } from '../../shared/imports/items/job-messages.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { importDeps } from './deps.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

export const handler = taskHandler(
  jobReference,
  // The answer tells the workflow, after the announcement, that a step has failed.
  async (deps, reference) => {
    await failFile(deps, reference, internalFailure);
    return { status: 'failed' };
  },
  (env: EnvOf<typeof entries.failImport>) => importDeps(env),
);
