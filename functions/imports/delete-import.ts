import { apiHandler } from '../../shared/edge/api-handler.ts';
import { deleteImport as useCase } from '../../shared/imports/definitions/delete-import.ts';
import { env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { importDeps, lookingBarrier } from './deps.ts';
import { deleteImport } from './definition-entries.ts';

export const handler = apiHandler(deleteImport, () => {
  const uploads = objectStore(env('UPLOADS_BUCKET'));
  const deps = { ...importDeps(), barrier: lookingBarrier(), uploads };
  return (request) => useCase(deps, request);
});
