import { apiHandler } from '../../shared/edge/api-handler.ts';
import { inspectImport } from '../../shared/imports/inspect/inspect-import.ts';
import * as entries from './definition-entries.ts';

export const handler = apiHandler(entries.inspectImport, inspectImport, () => ({}));
