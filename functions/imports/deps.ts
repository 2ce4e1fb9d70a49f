/** Import ports: builds the ports of the functions of imports from their environment. */
import type { Barrier } from '../../shared/imports/jobs/read-progress.ts';
import { importRepository } from '../../shared/imports/repository/repository.ts';
import { senderOf } from '../../shared/email/mailer.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { addressSettings } from '../../shared/webhooks/address-settings.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { drainAnnounced } from '../../shared/membership/drain.ts';
import { measureSoon } from '../../shared/membership/sizes/measure-soon.ts';
import { journal } from '../../shared/membership/journal.ts';
import { segmentDeps } from '../segments/deps.ts';

/** Definitions, jobs and batches on the table of the environment. */
export const importDeps = (env: Env<'TABLE_NAME'>) => ({
  imports: importRepository({ table: tableFromEnv(env), pause: jitteredPause }),
  table: tableFromEnv(env),
  clock: systemClock,
  pause: jitteredPause,
});

/** Ports of the looks at jobs. */
export const repairDeps = (
  env: Env<'TABLE_NAME' | 'IMPORT_BATCHES_QUEUE_URL' | 'UNDO_JOB_WORKFLOW_ARN' | 'IMPORT_FILE_WORKFLOW_ARN'>,
) => ({
  ...importDeps(env),
  batches: queue(env('IMPORT_BATCHES_QUEUE_URL')),
  undos: workflow(env('UNDO_JOB_WORKFLOW_ARN'), env('TABLE_NAME')),
  workflow: workflow(env('IMPORT_FILE_WORKFLOW_ARN'), env('TABLE_NAME')),
});

/** Ports of the functions that store definitions. */
export const defineDeps = (
  env: Env<'TABLE_NAME' | 'PROPERTY_KEY_ID' | 'BASE_URL' | 'PRIVATE_TARGETS' | 'SENDER_EMAIL'>,
) => ({
  ...importDeps(env),
  keyService: keyService(env('PROPERTY_KEY_ID')),
  ids: systemIds,
  stage: { ...addressSettings(env), sender: senderOf(env('SENDER_EMAIL')) },
});

/**
 * A barrier that also sends messages: it asks the drainer to index the closed journal entries that are not indexed yet.
 */
export const drainingBarrier = (env: Env<'TABLE_NAME' | 'DRAINS_QUEUE_URL'>): Barrier => {
  const deps = {
    journal: journal({ table: tableFromEnv(env), clock: systemClock }),
    drains: queue(env('DRAINS_QUEUE_URL')),
    ids: systemIds,
  };
  return { isSettled: (property, announcedBy) => drainAnnounced(deps, property, announcedBy) };
};

/** Measures the sizes of segments at the end of an import or an undo. */
export const sizesAtEnd = (env: Env<'TABLE_NAME'>) => {
  const deps = { ...segmentDeps(env), log: systemLog };
  return (property: number): Promise<void> => measureSoon(deps, property);
};

/** A barrier that only reads the journal. Other functions ask the drainer to index entries. */
export const lookingBarrier = (env: Env<'TABLE_NAME'>): Barrier => {
  const entries = journal({ table: tableFromEnv(env), clock: systemClock });
  return { isSettled: (property, announcedBy) => entries.isEmpty(property, announcedBy) };
};
