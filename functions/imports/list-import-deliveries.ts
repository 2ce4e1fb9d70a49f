import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listImportDeliveries } from '../../shared/imports/announce/import-deliveries.ts';
import { importDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listImportDeliveries, listImportDeliveries, importDeps);
