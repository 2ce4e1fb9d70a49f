import { auditTrailFromEnv } from '../../shared/audit/audit-trail.ts';
import { queueHandler } from '../../shared/edge/queue-handler.ts';
import { fileEvent, type IgnoreReason } from '../../shared/imports/files/file-events.ts';
import type { ImportPlace } from '../../shared/imports/files/start-job.ts';
import { startImport } from '../../shared/imports/files/start-import.ts';
import { credentialsFromEnv, tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { importDeps } from './deps.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

export const handler = queueHandler(
  fileEvent,
  startImport,
  (env: EnvOf<typeof entries.startImport>) => ({
    ...importDeps(env),
    table: tableFromEnv(env),
    workflow: workflow(env('IMPORT_FILE_WORKFLOW_ARN'), env('TABLE_NAME')),
    audit: auditTrailFromEnv(env),
    credentials: credentialsFromEnv(env),
    uploads: objectStore(env('UPLOADS_BUCKET')),
    ignored: (why: IgnoreReason, where?: ImportPlace) =>
      systemLog(why === 'waiting' ? 'upload.waiting' : 'upload.ignored', {
        outcome: why,
        ...(where && { property: where.property, import: where.import }),
      }),
  }),
  'FILE_EVENTS_QUEUE_URL',
);
