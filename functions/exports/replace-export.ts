import { replaceExport as replaceExportUseCase } from '../../shared/exports/definitions/replace-export.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { defineDeps, readDeps } from './deps.ts';
import { replaceExport } from './entries.ts';

export const handler = apiHandler(replaceExport, () => {
  const deps = { ...readDeps(), ...defineDeps() };
  return (request) => replaceExportUseCase(deps, request);
});
