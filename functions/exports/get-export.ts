import { getExport as getExportUseCase } from '../../shared/exports/read-exports.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { readDeps } from './deps.ts';
import { getExport } from './entries.ts';

export const handler = apiHandler(getExport, () => {
  const deps = readDeps();
  return (request) => getExportUseCase(deps, request);
});
