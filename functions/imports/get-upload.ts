import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getUpload as useCase } from '../../shared/imports/uploads/get-upload.ts';
import { env } from '../../shared/runtime/env.ts';
import { objectStore, partUploads } from '../../shared/runtime/s3-object-store.ts';
import { importDeps } from './deps.ts';
import { getUpload } from './entries.ts';

export const handler = apiHandler(getUpload, () => {
  const bucket = env('UPLOADS_BUCKET');
  const deps = { ...importDeps(), uploads: objectStore(bucket), parts: partUploads(bucket) };
  return (request) => useCase(deps, request);
});
