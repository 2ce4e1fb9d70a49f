import { deleteExport } from '../../shared/exports/definitions/delete-export.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.deleteExport, deleteExport, (env) => ({
  table: tableFromEnv(env),
  exports: exportRepository(tableFromEnv(env)),
  clock: systemClock,
  pause: jitteredPause,
}));
