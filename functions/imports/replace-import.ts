import { apiHandler } from '../../shared/edge/api-handler.ts';
import { replaceImport as useCase } from '../../shared/imports/definitions/replace-import.ts';
import { importDeps } from './deps.ts';
import { replaceImport } from './definition-entries.ts';

export const handler = apiHandler(replaceImport, () => {
  const deps = importDeps();
  return (request) => useCase(deps, request);
});
