import { collectionRepository } from '../../shared/collections/repository.ts';
import { planExport } from '../../shared/exports/runs/plan-export.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { snapshotChunks } from '../../shared/membership/member-groups.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { catalogueFromEnv } from '../segments/catalogue-deps.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

export const handler = taskHandler(jobRef, planExport, (env: EnvOf<typeof entries.planExport>) => {
  const table = tableFromEnv(env);
  return {
    exports: exportRepository(table),
    work: objectStore(env('WORK_BUCKET')),
    files: objectStore(env('EXPORTS_BUCKET')),
    keyService: keyService(env('PROPERTY_KEY_ID')),
    ids: systemIds,
    clock: systemClock,
    pause: jitteredPause,
    catalogue: catalogueFromEnv(env),
    collections: collectionRepository(table),
    members: (property: number, target: SegmentExpression) =>
      snapshotChunks({ table, pause: jitteredPause }, { property, expression: target }),
  };
});
