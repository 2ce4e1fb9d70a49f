import { nameHostKey } from '../../shared/exports/host-key.ts';
import { exportRepository } from '../../shared/exports/repository.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { replaceHostKey } from './delivery-entries.ts';

export const handler = apiHandler(replaceHostKey, () => {
  const deps = { exports: exportRepository(tableFromEnv()), pause: jitteredPause };
  return (request) => nameHostKey(deps, request);
});
