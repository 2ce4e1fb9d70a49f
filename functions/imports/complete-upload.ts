import { apiHandler } from '../../shared/edge/api-handler.ts';
import { completeUpload as useCase } from '../../shared/imports/uploads/complete-upload.ts';
import { env } from '../../shared/runtime/env.ts';
import { partUploads } from '../../shared/runtime/s3-object-store.ts';
import { importDeps } from './deps.ts';
import { completeUpload } from './entries.ts';

export const handler = apiHandler(completeUpload, () => {
  const deps = { ...importDeps(), parts: partUploads(env('UPLOADS_BUCKET')) };
  return (request) => useCase(deps, request);
});
