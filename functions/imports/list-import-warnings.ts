import { apiHandler } from '../../shared/http/api-handler.ts';
import { listImportWarnings as useCase } from '../../shared/imports/reports-api.ts';
import { env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { importDeps, listDeps } from './deps.ts';
import { listImportWarnings } from './entries.ts';

export const handler = apiHandler(listImportWarnings, () => {
  const deps = { ...importDeps(), ...listDeps(), work: objectStore(env('WORK_BUCKET')) };
  return (request) => useCase(deps, request);
});
