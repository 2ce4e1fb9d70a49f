import { replaceHostKey as useCase } from '../../shared/exports/definitions/replace-host-key.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { replaceHostKey } from './delivery-entries.ts';

export const handler = apiHandler(replaceHostKey, () => {
  const deps = { exports: exportRepository(tableFromEnv()), pause: jitteredPause };
  return (request) => useCase(deps, request);
});
