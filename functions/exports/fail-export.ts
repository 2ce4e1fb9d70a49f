import * as v from 'valibot';
import { failExport, type FailDeps } from '../../shared/exports/runs/fail-export.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

const input = v.object({ ...jobRef.entries, error: v.string() });

export const handler = taskHandler(
  input,
  (deps: FailDeps, { error, ...ref }) => failExport(deps, ref, error),
  (env: EnvOf<typeof entries.failExport>) => ({
    exports: exportRepository(tableFromEnv(env)),
    clock: systemClock,
    pause: jitteredPause,
  }),
);
