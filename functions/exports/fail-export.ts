import * as v from 'valibot';
import { failExport, type EndDeps } from '../../shared/exports/runs/end-job.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';
import { jobDeps } from './job-deps.ts';

const input = v.object({ ...jobRef.entries, error: v.string() });

export const handler = taskHandler(
  input,
  (deps: EndDeps, { error, ...ref }) => failExport(deps, ref, error),
  (env: EnvOf<typeof entries.failExport>) => jobDeps(env),
);
