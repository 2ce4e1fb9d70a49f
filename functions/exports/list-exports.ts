import { listExports as listExportsUseCase } from '../../shared/exports/definitions/list-exports.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readDeps } from './deps.ts';
import { listExports } from './entries.ts';

export const handler = apiHandler(listExports, () => {
  const deps = readDeps();
  return (request) => listExportsUseCase(deps, request);
});
