import { replaceExport as replaceExportUseCase } from '../../shared/exports/replace-export.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { defineDeps, readDeps } from './deps.ts';
import { replaceExport } from './entries.ts';

export const handler = apiHandler(replaceExport, () => {
  const deps = { ...readDeps(), ...defineDeps() };
  return (request) => replaceExportUseCase(deps, request);
});
