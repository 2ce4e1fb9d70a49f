import { queueHandler } from '../../shared/http/queue-handler.ts';
import { objectCreated } from '../../shared/imports/messages.ts';
import { startImport } from '../../shared/imports/start-import.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { importDeps } from './deps.ts';

export const handler = queueHandler(objectCreated, () => {
  const deps = {
    ...importDeps(),
    table: tableFromEnv(),
    workflow: workflow(env('IMPORT_FILE_WORKFLOW_ARN')),
    ignored: () => systemLog('upload.ignored'),
  };
  return (event) => startImport(deps, event);
});
