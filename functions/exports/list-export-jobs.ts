import { listExportJobs } from '../../shared/exports/definitions/list-export-jobs.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listExportJobs, listExportJobs, readDeps);
