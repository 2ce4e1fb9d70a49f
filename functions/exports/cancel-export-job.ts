import { cancelExportJob as cancelExportJobUseCase } from '../../shared/exports/runs/cancel-export-job.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { cancelExportJob } from './entries.ts';

export const handler = apiHandler(cancelExportJob, () => {
  const deps = { exports: exportRepository(tableFromEnv()), clock: systemClock, pause: jitteredPause };
  return (request) => cancelExportJobUseCase(deps, request);
});
