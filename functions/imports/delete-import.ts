import { apiHandler } from '../../shared/edge/api-handler.ts';
import { deleteImport } from '../../shared/imports/definitions/delete-import.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { importDeps, lookingBarrier } from './deps.ts';
import * as entries from './definition-entries.ts';

export const handler = apiHandler(entries.deleteImport, deleteImport, (env) => {
  const uploads = objectStore(env('UPLOADS_BUCKET'));
  return { ...importDeps(env), barrier: lookingBarrier(env), uploads };
});
