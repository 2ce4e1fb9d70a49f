import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getUpload } from '../../shared/imports/uploads/pending-upload.ts';
import { objectStore, partUploads } from '../../shared/runtime/s3-object-store.ts';
import { importDeps } from './deps.ts';
import * as entries from './upload-entries.ts';

export const handler = apiHandler(entries.getUpload, getUpload, (env) => {
  const bucket = env('UPLOADS_BUCKET');
  return { ...importDeps(env), uploads: objectStore(bucket), parts: partUploads(bucket) };
});
