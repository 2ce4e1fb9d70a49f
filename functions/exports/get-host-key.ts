import { getHostKey as getHostKeyUseCase } from '../../shared/exports/definitions/get-host-key.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { getHostKey } from './delivery-entries.ts';

export const handler = apiHandler(getHostKey, () => {
  const deps = { exports: exportRepository(tableFromEnv()) };
  return (request) => getHostKeyUseCase(deps, request);
});
