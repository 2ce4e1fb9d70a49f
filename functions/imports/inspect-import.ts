import { apiHandler } from '../../shared/edge/api-handler.ts';
import { inspectImport } from '../../shared/imports/inspect/inspect-import.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { importDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.inspectImport, inspectImport, (env) => ({
  ...importDeps(env),
  uploads: objectStore(env('UPLOADS_BUCKET')),
}));
