import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listImports as useCase } from '../../shared/imports/definitions/list-imports.ts';
import { importDeps, listDeps } from './deps.ts';
import { listImports } from './definition-entries.ts';

export const handler = apiHandler(listImports, () => {
  const deps = { ...importDeps(), ...listDeps() };
  return (request) => useCase(deps, request);
});
