import { exportRepository } from '../../shared/exports/repository.ts';
import { withdrawLocation as withdrawLocationUseCase } from '../../shared/exports/withdraw-location.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { withdrawLocation } from './entries.ts';

export const handler = apiHandler(withdrawLocation, () => {
  const deps = { exports: exportRepository(tableFromEnv()), clock: systemClock, pause: jitteredPause };
  return (request) => withdrawLocationUseCase(deps, request);
});
