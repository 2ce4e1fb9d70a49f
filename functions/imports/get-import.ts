import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getImport as useCase } from '../../shared/imports/definitions/get-import.ts';
import { importDeps } from './deps.ts';
import { getImport } from './definition-entries.ts';

export const handler = apiHandler(getImport, () => {
  const deps = importDeps();
  return (request) => useCase(deps, request);
});
