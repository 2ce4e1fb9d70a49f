import { apiHandler } from '../../shared/edge/api-handler.ts';
import { completeUpload } from '../../shared/imports/uploads/pending-upload.ts';
import { partUploads } from '../../shared/runtime/s3-object-store.ts';
import { importDeps } from './deps.ts';
import * as entries from './upload-entries.ts';

export const handler = apiHandler(entries.completeUpload, completeUpload, (env) => ({
  ...importDeps(env),
  parts: partUploads(env('UPLOADS_BUCKET')),
}));
