import { auditTrailFromEnv } from '../../shared/audit/trail-from-env.ts';
import { download as downloadUseCase } from '../../shared/exports/download.ts';
import { exportRepository } from '../../shared/exports/repository.ts';
import { publicHandler } from '../../shared/http/public-handler.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { download } from './entries.ts';

export const handler = publicHandler(download, () => {
  const table = tableFromEnv();
  const deps = {
    table,
    exports: exportRepository(table),
    files: objectStore(env('EXPORTS_BUCKET')),
    audit: auditTrailFromEnv(),
  };
  return (request) => downloadUseCase(deps, request);
});
