import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listImportWarnings } from '../../shared/imports/reports/list-report.ts';
import { objectStore, partUploads } from '../../shared/runtime/s3-object-store.ts';
import { importDeps } from './deps.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listImportWarnings, listImportWarnings, (env) => {
  const bucket = env('WORK_BUCKET');
  const work = { work: objectStore(bucket), workParts: partUploads(bucket) };
  return { ...importDeps(env), ...linkDeps(env), ...work };
});
