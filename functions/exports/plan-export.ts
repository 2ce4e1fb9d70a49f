import { collectionRepository } from '../../shared/collections/repository.ts';
import { lastUndoOf } from '../../shared/imports/undo/undo-turn.ts';
import { planExport } from '../../shared/exports/runs/plan-export.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { snapshotChunks } from '../../shared/membership/read-members.ts';
import type { SegmentExpression } from '../../shared/catalogue/types.ts';
import { catalogueFromEnv } from '../segments/catalogue-deps.ts';
import { fileDeps } from './file-deps.ts';
import { forgottenFromEnv } from './forgotten-deps.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

export const handler = taskHandler(jobRef, planExport, (env: EnvOf<typeof entries.planExport>) => {
  const table = tableFromEnv(env);
  return {
    ...fileDeps(env),
    table,
    pause: jitteredPause,
    jobsAtOnce: Number(env('EXPORT_JOBS_AT_ONCE')),
    catalogue: catalogueFromEnv(env),
    collections: collectionRepository(table),
    lastUndo: lastUndoOf(table),
    hasForgotten: forgottenFromEnv(env),
    members: (property: number, target: SegmentExpression) =>
      snapshotChunks({ table, pause: jitteredPause }, { property, expression: target }),
  };
});
