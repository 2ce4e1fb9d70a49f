import { jobReference } from '../../shared/imports/items/job-messages.ts';
import { runUndo } from '../../shared/imports/undo/run-undo.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { profileWriterDeps } from '../profiles/deps.ts';
import { referrersOf } from '../segments/referrers.ts';
import { drainingBarrier, importDeps, sizesAtEnd } from './deps.ts';
import { writerLogsOf } from './writer-logs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

export const handler = taskHandler(jobReference, runUndo, (env: EnvOf<typeof entries.undoImport>) => ({
  ...profileWriterDeps(env, writerLogsOf(env)),
  ...importDeps(env),
  work: objectStore(env('WORK_BUCKET')),
  barrier: drainingBarrier(env),
  measure: sizesAtEnd(env),
  ids: systemIds,
  referrers: referrersOf(tableFromEnv(env)),
}));
