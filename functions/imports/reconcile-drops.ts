import { auditTrailFromEnv } from '../../shared/audit/audit-trail.ts';
import { limits } from '../../shared/config/limits.ts';
import { reconcileDrops } from '../../shared/imports/files/reconcile-drops.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { untilLastSeconds } from '../../shared/runtime/time-budget.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { importDeps } from './deps.ts';
import type * as entries from './task-entries.ts';

const env: EnvOf<typeof entries.reconcileDrops> = processEnv;

/** Starts the jobs of SFTP files whose events were lost, while there is time. The next call continues. */
export const handler = withinInvocation(async (_: unknown, context): Promise<void> => {
  const deps = {
    ...importDeps(env),
    table: tableFromEnv(env),
    workflow: workflow(env('IMPORT_FILE_WORKFLOW_ARN'), env('TABLE_NAME')),
    audit: auditTrailFromEnv(env),
    uploads: objectStore(env('UPLOADS_BUCKET')),
    ignored: () => undefined,
  };
  const count = await reconcileDrops(deps, untilLastSeconds(context, limits.imports.dropsLastSeconds));
  systemLog('task.done', { count });
});
