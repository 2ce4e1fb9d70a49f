/** Export ports: builds the ports of the functions of exports from their environment. */
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { senderOf } from '../../shared/email/mailer.ts';
import { collectionRepository } from '../../shared/collections/repository.ts';
import type { DefineDeps } from '../../shared/exports/definitions/create-export.ts';
import type { DefinitionReadDeps, ReadDeps } from '../../shared/exports/definitions/read-exports.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import type { RunDeps } from '../../shared/exports/runs/request-run.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { schedules } from '../../shared/runtime/eventbridge-schedules.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import type { Schedules, Workflow } from '../../shared/runtime/ports.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { addressSettings } from '../../shared/webhooks/address-settings.ts';
import { catalogueFromEnv } from '../segments/catalogue-deps.ts';
import { linkDeps } from '../link-deps.ts';

/** Ports of the functions that read jobs of exports. */
export const readDeps = (env: Env<'TABLE_NAME' | 'PROPERTY_KEY_ID' | 'BASE_URL'>): ReadDeps => ({
  exports: exportRepository(tableFromEnv(env)),
  ...linkDeps(env),
});

/** Ports of the functions that read definitions of exports. */
export const definitionDeps = (
  env: Env<'TABLE_NAME' | 'PROPERTY_KEY_ID' | 'BASE_URL' | 'ACCOUNT_ARN'>,
): DefinitionReadDeps => ({ ...readDeps(env), accountArn: env('ACCOUNT_ARN') });

const targetDeps = (env: Env<'TABLE_NAME'>) => {
  const table = tableFromEnv(env);
  return {
    table,
    pause: jitteredPause,
    exports: exportRepository(table),
    catalogue: catalogueFromEnv(env),
    collections: collectionRepository(table),
  };
};

/** Ports of the functions that run exports. */
export const runDeps = (env: Env<'TABLE_NAME' | 'RUN_EXPORT_WORKFLOW_ARN'>): RunDeps => ({
  ...targetDeps(env),
  workflow: exportWorkflow(env),
});

/** The workflow that runs exports. */
export const exportWorkflow = (env: Env<'TABLE_NAME' | 'RUN_EXPORT_WORKFLOW_ARN'>): Workflow =>
  workflow(env('RUN_EXPORT_WORKFLOW_ARN'), env('TABLE_NAME'));

/** Variables of a function that defines exports. */
type DefineEnv = Env<
  'TABLE_NAME' | 'PROPERTY_KEY_ID' | 'BASE_URL' | 'PRIVATE_TARGETS' | 'SENDER_EMAIL' | 'ACCOUNT_ARN'
>;

/** Ports of the functions that define exports. */
export const defineDeps = (env: DefineEnv): DefineDeps => ({
  ...targetDeps(env),
  keyService: keyService(env('PROPERTY_KEY_ID')),
  ids: systemIds,
  scopeOf: scopesFromEnv(env),
  accountArn: env('ACCOUNT_ARN'),
  stage: { ...addressSettings(env), sender: senderOf(env('SENDER_EMAIL')) },
});

type ScheduleVariable =
  | 'EXPORT_SCHEDULES_GROUP'
  | 'EXPORT_RUNS_QUEUE_ARN'
  | 'EXPORT_RUNS_DEAD_LETTERS_ARN'
  | 'EXPORT_SCHEDULES_ROLE_ARN';

/** The schedules of exports. */
export const allSchedules = (env: Env<ScheduleVariable>): Schedules =>
  schedules({
    group: env('EXPORT_SCHEDULES_GROUP'),
    queueArn: env('EXPORT_RUNS_QUEUE_ARN'),
    deadLettersArn: env('EXPORT_RUNS_DEAD_LETTERS_ARN'),
    roleArn: env('EXPORT_SCHEDULES_ROLE_ARN'),
  });
