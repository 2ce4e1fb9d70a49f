import { apiHandler } from '../../shared/http/api-handler.ts';
import { replaceImport as useCase } from '../../shared/imports/change-definitions.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { importDeps } from './deps.ts';
import { replaceImport } from './definition-entries.ts';

export const handler = apiHandler(replaceImport, () => {
  const deps = { ...importDeps(), pause: jitteredPause };
  return (request) => useCase(deps, request);
});
