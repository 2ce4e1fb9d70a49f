import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { assembleExport } from '../../shared/exports/file/assemble-export.ts';
import { fileStore } from '../../shared/exports/file/outgoing-file.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

export const handler = taskHandler(jobRef, assembleExport, (env: EnvOf<typeof entries.assembleExport>) => ({
  exports: exportRepository(tableFromEnv(env)),
  work: objectStore(env('WORK_BUCKET')),
  files: fileStore(objectStore(env('EXPORTS_BUCKET'))),
  keyService: keyService(env('PROPERTY_KEY_ID')),
  ids: systemIds,
  clock: systemClock,
  scopeOf: scopesFromEnv(env),
}));
