import { exportRepository } from '../../shared/exports/model/repository.ts';
import { withdrawLocation as withdrawLocationUseCase } from '../../shared/exports/delivery/withdraw-location.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { withdrawLocation } from './entries.ts';

export const handler = apiHandler(withdrawLocation, () => {
  const deps = { exports: exportRepository(tableFromEnv()), clock: systemClock, pause: jitteredPause };
  return (request) => withdrawLocationUseCase(deps, request);
});
