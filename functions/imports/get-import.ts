import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getImport } from '../../shared/imports/definitions/read-imports.ts';
import { importDeps } from './deps.ts';
import * as entries from './definition-entries.ts';

export const handler = apiHandler(entries.getImport, getImport, importDeps);
