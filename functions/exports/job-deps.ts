/** Job ports, for the functions that only read or change jobs of exports. */
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';

/** What exports keep in the table of the environment. */
export const jobDeps = (env: Env<'TABLE_NAME'>) => ({
  exports: exportRepository(tableFromEnv(env)),
  clock: systemClock,
  pause: jitteredPause,
});
