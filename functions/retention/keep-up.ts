import { limits } from '../../shared/config/limits.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { importRepository } from '../../shared/imports/repository/repository.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { keepUp } from '../../shared/retention/keep-up.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { untilLastSeconds } from '../../shared/runtime/time-budget.ts';
import { auditLogFromEnv } from '../../shared/table/dynamo-client.ts';
import { profileWriterDeps } from '../profiles/deps.ts';
import type * as entries from './entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.keepUp> = processEnv;

/** Goes on with erasures and with the rules of properties, while there is time. After an error the schedule tries again. */
export const handler = withinInvocation(async (_: unknown, context): Promise<void> => {
  const writer = profileWriterDeps(env);
  const work = objectStore(env('WORK_BUCKET'));
  const deps = {
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
  const count = await keepUp(deps, untilLastSeconds(context, limits.rules.lastSeconds));
  systemLog('task.done', { count });
});
