import { getHostKey as getHostKeyUseCase } from '../../shared/exports/host-key.ts';
import { exportRepository } from '../../shared/exports/repository.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { getHostKey } from './delivery-entries.ts';

export const handler = apiHandler(getHostKey, () => {
  const deps = { exports: exportRepository(tableFromEnv()) };
  return (request) => getHostKeyUseCase(deps, request);
});
