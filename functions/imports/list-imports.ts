import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listImports } from '../../shared/imports/definitions/read-imports.ts';
import { importDeps } from './deps.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './definition-entries.ts';

export const handler = apiHandler(entries.listImports, listImports, (env) => ({
  ...importDeps(env),
  ...linkDeps(env),
}));
