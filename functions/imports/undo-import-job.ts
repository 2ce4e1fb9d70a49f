import { apiHandler } from '../../shared/edge/api-handler.ts';
import { undoImportJob } from '../../shared/imports/undo/undo-import-job.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { importDeps, lookingBarrier } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.undoImportJob, undoImportJob, (env) => ({
  ...importDeps(env),
  barrier: lookingBarrier(env),
  undos: workflow(env('UNDO_JOB_WORKFLOW_ARN'), env('TABLE_NAME')),
}));
