import { createExportJob } from '../../shared/exports/runs/create-export-job.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { runDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.createExportJob, createExportJob, runDeps);
