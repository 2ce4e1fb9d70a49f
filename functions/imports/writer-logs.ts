import { undoneJobs } from '../../shared/imports/repository/stored-items.ts';
import { restatementsIn } from '../../shared/ingest/restatements.ts';
import { undoLog } from '../../shared/ingest/undo-log.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import type { WriterLogs } from '../profiles/deps.ts';

/** The logs of writers whose records may be beneath values of an import. */
export const writerLogsOf = (env: Env<'TABLE_NAME' | 'WORK_BUCKET'>): WriterLogs => {
  const table = tableFromEnv(env);
  const undoneAmong = undoneJobs(table);
  return {
    undoLog: undoLog({ work: objectStore(env('WORK_BUCKET')), undoneAmong }),
    restatements: restatementsIn({ table, clock: systemClock, undoneAmong }),
  };
};
