import { listExports as listExportsUseCase } from '../../shared/exports/read-exports.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { readDeps } from './deps.ts';
import { listExports } from './entries.ts';

export const handler = apiHandler(listExports, () => {
  const deps = readDeps();
  return (request) => listExportsUseCase(deps, request);
});
