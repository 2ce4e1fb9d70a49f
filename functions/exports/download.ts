import { auditTrailFromEnv } from '../../shared/audit/audit-trail.ts';
import { download } from '../../shared/exports/delivery/download.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { forgottenFromEnv } from './forgotten-deps.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { ratesFromEnv, tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import * as entries from './entries.ts';

export const handler = publicHandler(entries.download, download, (env) => {
  const table = tableFromEnv(env);
  return {
    table,
    exports: exportRepository(table),
    hasForgotten: forgottenFromEnv(env),
    files: objectStore(env('EXPORTS_BUCKET')),
    audit: auditTrailFromEnv(env),
    rates: ratesFromEnv(env),
  };
});
