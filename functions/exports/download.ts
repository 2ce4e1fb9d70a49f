import { auditTrailFromEnv } from '../../shared/audit/trail-from-env.ts';
import { download as downloadUseCase } from '../../shared/exports/delivery/download.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
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
