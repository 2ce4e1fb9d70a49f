import { withdrawLocation } from '../../shared/exports/delivery/withdraw-location.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { jobDeps } from './job-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.withdrawLocation, withdrawLocation, jobDeps);
