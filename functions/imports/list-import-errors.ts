import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listImportErrors as useCase } from '../../shared/imports/reports/list-import-errors.ts';
import { env } from '../../shared/runtime/env.ts';
import { objectStore, partUploads } from '../../shared/runtime/s3-object-store.ts';
import { importDeps, listDeps } from './deps.ts';
import { listImportErrors } from './entries.ts';

export const handler = apiHandler(listImportErrors, () => {
  const bucket = env('WORK_BUCKET');
  const work = { work: objectStore(bucket), workParts: partUploads(bucket) };
  const deps = { ...importDeps(), ...listDeps(), ...work };
  return (request) => useCase(deps, request);
});
