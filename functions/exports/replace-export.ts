import { replaceExport } from '../../shared/exports/definitions/replace-export.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { defineDeps, definitionDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.replaceExport, replaceExport, (env) => ({
  ...definitionDeps(env),
  ...defineDeps(env),
}));
