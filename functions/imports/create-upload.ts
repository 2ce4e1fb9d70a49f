import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createUpload as useCase } from '../../shared/imports/uploads/create-upload.ts';
import { env } from '../../shared/runtime/env.ts';
import { objectStore, partUploads } from '../../shared/runtime/s3-object-store.ts';
import { importDeps } from './deps.ts';
import { createUpload } from './entries.ts';

export const handler = apiHandler(createUpload, () => {
  const bucket = env('UPLOADS_BUCKET');
  const deps = { ...importDeps(), uploads: objectStore(bucket), parts: partUploads(bucket) };
  return (request) => useCase(deps, request);
});
