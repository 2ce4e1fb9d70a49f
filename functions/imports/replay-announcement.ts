import { apiHandler } from '../../shared/edge/api-handler.ts';
import { replayAnnouncement } from '../../shared/imports/announce/import-deliveries.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { importDeps, lookingBarrier } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.replayAnnouncement, replayAnnouncement, (env) => ({
  ...importDeps(env),
  barrier: lookingBarrier(env),
  workflow: workflow(env('IMPORT_FILE_WORKFLOW_ARN'), env('TABLE_NAME')),
}));
