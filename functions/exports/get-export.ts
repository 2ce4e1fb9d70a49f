import { getExport as getExportUseCase } from '../../shared/exports/definitions/get-export.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readDeps } from './deps.ts';
import { getExport } from './entries.ts';

export const handler = apiHandler(getExport, () => {
  const deps = readDeps();
  return (request) => getExportUseCase(deps, request);
});
