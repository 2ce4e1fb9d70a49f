import { getExport } from '../../shared/exports/definitions/read-exports.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { definitionDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.getExport, getExport, definitionDeps);
