import { apiHandler } from '../../shared/edge/api-handler.ts';
import { replaceImport } from '../../shared/imports/definitions/change-imports.ts';
import { defineDeps } from './deps.ts';
import * as entries from './definition-entries.ts';

export const handler = apiHandler(entries.replaceImport, replaceImport, defineDeps);
