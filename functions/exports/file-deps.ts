/** Ports of the tasks that make the file of an export; apart from `deps.ts`, whose imports would add 7 KB to their bundles. */
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';

/** Variables of a task that reads or writes the parts or the file of an export. */
type FileVariable = 'TABLE_NAME' | 'WORK_BUCKET' | 'EXPORTS_BUCKET' | 'PROPERTY_KEY_ID';

/** Ports of the tasks that make the file of an export. */
export const fileDeps = (env: Env<FileVariable>) => ({
  exports: exportRepository(tableFromEnv(env)),
  work: objectStore(env('WORK_BUCKET')),
  files: objectStore(env('EXPORTS_BUCKET')),
  keyService: keyService(env('PROPERTY_KEY_ID')),
  ids: systemIds,
  clock: systemClock,
});
