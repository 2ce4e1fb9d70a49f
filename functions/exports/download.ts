import { auditTrail } from '../../shared/audit/trail.ts';
import { download as downloadUseCase } from '../../shared/exports/download.ts';
import { exportRepository } from '../../shared/exports/repository.ts';
import { systemSurroundings } from '../../shared/http/lambda.ts';
import { publicHandler } from '../../shared/http/public-handler.ts';
import { auditLogFromEnv, tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { download } from './entries.ts';

export const handler = publicHandler(download, () => {
  const table = tableFromEnv();
  const deps = {
    table,
    exports: exportRepository(table),
    files: objectStore(env('EXPORTS_BUCKET')),
    audit: auditTrail({ ...systemSurroundings, entries: auditLogFromEnv() }),
  };
  return (request) => downloadUseCase(deps, request);
});
