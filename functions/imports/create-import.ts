import { apiHandler } from '../../shared/http/api-handler.ts';
import { createImport as useCase } from '../../shared/imports/definitions-api.ts';
import { importDeps } from './deps.ts';
import { createImport } from './entries.ts';

export const handler = apiHandler(createImport, () => {
  const deps = importDeps();
  return (request) => useCase(deps, request);
});
