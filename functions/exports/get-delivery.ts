import { getDelivery } from '../../shared/exports/delivery/read-deliveries.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { jobDeps } from './job-deps.ts';
import * as entries from './delivery-entries.ts';

export const handler = apiHandler(entries.getDelivery, getDelivery, jobDeps);
