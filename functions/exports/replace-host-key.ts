import { replaceHostKey } from '../../shared/exports/definitions/host-keys.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import * as entries from './delivery-entries.ts';

export const handler = apiHandler(entries.replaceHostKey, replaceHostKey, (env) => ({
  exports: exportRepository(tableFromEnv(env)),
  pause: jitteredPause,
}));
