import { cancelExportJob as cancelExportJobUseCase } from '../../shared/exports/cancel-job.ts';
import { exportRepository } from '../../shared/exports/repository.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { cancelExportJob } from './entries.ts';

export const handler = apiHandler(cancelExportJob, () => {
  const deps = { exports: exportRepository(tableFromEnv()), clock: systemClock, pause: jitteredPause };
  return (request) => cancelExportJobUseCase(deps, request);
});
