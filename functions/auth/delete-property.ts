import { auditTrailFromEnv } from '../../shared/audit/audit-trail.ts';
import {
  deleteProperty,
  deletePropertyCommand,
  type DeletionProgress,
} from '../../shared/operator/delete-property.ts';
import { check } from '../../shared/http/schema-faults.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { credentialsFromEnv, tableFromEnv, tableScanFromEnv } from '../../shared/table/dynamo-client.ts';
import { scheduleRemover } from '../../shared/runtime/eventbridge-schedules.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { bucketFolders } from '../../shared/runtime/s3-folders.ts';
import type * as entries from './entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.deleteProperty> = processEnv;

type Answer =
  | ({ readonly ok: true } & DeletionProgress)
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

const dependencies = () => ({
  table: { ...tableFromEnv(env), ...tableScanFromEnv(env) },
  tableName: env('TABLE_NAME'),
  credentials: credentialsFromEnv(env),
  buckets: [env('UPLOADS_BUCKET'), env('WORK_BUCKET'), env('EXPORTS_BUCKET')].map(bucketFolders),
  schedules: scheduleRemover(env('EXPORT_SCHEDULES_GROUP')),
  audit: auditTrailFromEnv(env),
  clock: systemClock,
  ids: systemIds,
});

/** Does the next part of the deletion of a property, for the operator's command line. */
export const handler = withinInvocation(async (payload: unknown): Promise<Answer> => {
  const command = check(deletePropertyCommand, payload);
  if (!command.ok) return { ok: false, error: { code: 'invalid', message: 'The command is not valid.' } };
  const { property, operator } = command.value;
  const done = await deleteProperty(dependencies(), command.value);
  systemLog(done.ok ? 'operator.done' : 'operator.refused', {
    command: 'property.delete',
    operator,
    property,
    outcome: done.ok ? done.value.state : done.error.code,
  });
  return done.ok ? { ok: true, ...done.value } : { ok: false, error: done.error };
});
