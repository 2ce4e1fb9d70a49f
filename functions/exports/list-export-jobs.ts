import { listExportJobs } from '../../shared/exports/definitions/read-exports.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listExportJobs, listExportJobs, readDeps);
