import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createImportJob } from '../../shared/imports/jobs/create-import-job.ts';
import { importDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.createImportJob, createImportJob, importDeps);
