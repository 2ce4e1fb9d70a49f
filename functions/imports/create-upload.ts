import { apiHandler } from '../../shared/http/api-handler.ts';
import { createUpload as useCase } from '../../shared/imports/create-upload.ts';
import { env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { importDeps } from './deps.ts';
import { createUpload } from './entries.ts';

export const handler = apiHandler(createUpload, () => {
  const deps = { ...importDeps(), uploads: objectStore(env('UPLOADS_BUCKET')) };
  return (request) => useCase(deps, request);
});
