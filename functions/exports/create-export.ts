import { createExport } from '../../shared/exports/definitions/create-export.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { defineDeps, exportWorkflow } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.createExport, createExport, (env) => ({
  ...defineDeps(env),
  workflow: exportWorkflow(env),
}));
