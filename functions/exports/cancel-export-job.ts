import { cancelExportJob } from '../../shared/exports/runs/end-job.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { jobDeps } from './job-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.cancelExportJob, cancelExportJob, jobDeps);
