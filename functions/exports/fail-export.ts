import * as v from 'valibot';
import { failExport } from '../../shared/exports/runs/fail-export.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { jobRef } from './job-ref.ts';

const input = v.object({ ...jobRef.entries, error: v.string() });

export const handler = taskHandler(input, () => {
  const deps = { exports: exportRepository(tableFromEnv()), clock: systemClock, pause: jitteredPause };
  return ({ error, ...ref }) => failExport(deps, ref, error);
});
