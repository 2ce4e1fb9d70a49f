import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createImport as useCase } from '../../shared/imports/definitions/create-import.ts';
import { env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { importDeps } from './deps.ts';
import { createImport } from './definition-entries.ts';

export const handler = apiHandler(createImport, () => {
  const deps = { ...importDeps(), uploads: objectStore(env('UPLOADS_BUCKET')) };
  return (request) => useCase(deps, request);
});
