import { undoneJobs } from '../../shared/imports/model/undone-jobs.ts';
import { undoLog, type UndoLog } from '../../shared/ingest/undo-log.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';

/** The undo log of writers whose records may be beneath values of an import. */
export const undoLogOf = (env: Env<'TABLE_NAME' | 'WORK_BUCKET'>): UndoLog =>
  undoLog({ work: objectStore(env('WORK_BUCKET')), undoneAmong: undoneJobs(tableFromEnv(env)) });
