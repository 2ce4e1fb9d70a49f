import { queueHandler } from '../../shared/edge/queue-handler.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import type { BatchDeps } from '../../shared/imports/batches/process-slices.ts';
import { rehearse } from '../../shared/ingest/rehearsal.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { enrichmentFromEnv } from '../profiles/enrichment-deps.ts';
import { profileWriterDeps } from '../profiles/deps.ts';
import { importDeps } from './deps.ts';
import { writerLogsOf } from './writer-logs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';
import { drainRequester } from '../segments/drain-requests.ts';

export const handler = queueHandler(
  batchMessage,
  async (deps: BatchDeps, message, { receiveCount, isLast }) => {
    await importBatch(deps, message, isLast);
    systemLog('batch.done', { property: message.property, job: message.job, count: receiveCount });
  },
  (env: EnvOf<typeof entries.importBatch>) => {
    const profiles = profileWriterDeps(env, writerLogsOf(env));
    return {
      ...importDeps(env),
      uploads: objectStore(env('UPLOADS_BUCKET')),
      work: objectStore(env('WORK_BUCKET')),
      scopeOf: profiles.scopeOf,
      store: (scope, records, { attemptId, repeated }) =>
        applyRecords(profiles, scope, records, { attemptId, index: 'later', repeated }),
      rehearse: (scope) => rehearse(profiles, scope),
      enrichment: enrichmentFromEnv(env, profiles),
      requestDrains: drainRequester(env),
      ids: systemIds,
      segments: profiles.segments,
      derivations: profiles.derivations,
    };
  },
  'IMPORT_BATCHES_QUEUE_URL',
);
