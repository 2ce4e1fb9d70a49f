import { exportRepository } from '../../shared/exports/model/repository.ts';
import { importRepository } from '../../shared/imports/repository/repository.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import type { CleanupDeps } from '../../shared/ingest/undo-cleanups.ts';
import type { UpkeepDeps } from '../../shared/retention/upkeep-kinds.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { auditLogFromEnv } from '../../shared/table/dynamo-client.ts';
import { profileWriterDeps } from '../profiles/deps.ts';

/** Ports of the looks at erasures, rules and undo logs. */
export const upkeepDeps = (
  env: Env<
    | 'TABLE_NAME'
    | 'AUDIT_LOG_TABLE_NAME'
    | 'PROPERTY_KEY_ID'
    | 'DEFLATE_PROFILES'
    | 'WORK_BUCKET'
    | 'UPLOADS_BUCKET'
    | 'EXPORTS_BUCKET'
  >,
): UpkeepDeps & CleanupDeps => {
  const writer = profileWriterDeps(env);
  const work = objectStore(env('WORK_BUCKET'));
  return {
    ...writer,
    ids: systemIds,
    moments: momentMembers(writer),
    forgettings: auditLogFromEnv(env),
    forgotten: forgottenPeople(writer.table),
    work,
    buckets: {
      uploads: objectStore(env('UPLOADS_BUCKET')),
      work,
      exports: objectStore(env('EXPORTS_BUCKET')),
    },
    imports: importRepository(writer),
    exports: exportRepository(writer.table),
  };
};
