import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createImport } from '../../shared/imports/definitions/change-imports.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { defineDeps } from './deps.ts';
import * as entries from './definition-entries.ts';

export const handler = apiHandler(entries.createImport, createImport, (env) => ({
  ...defineDeps(env),
  uploads: objectStore(env('UPLOADS_BUCKET')),
}));
