import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestedJob } from '../model/requested-items.ts';
import { deliveryView } from '../model/views.ts';

export interface DeliveriesDeps {
  readonly exports: ExportRepository;
}

/** `GET exports/{export_id}/jobs/{job_id}/deliveries`: the state of each delivery of a job. */
export const listDeliveries: UseCase<DeliveriesDeps> = async ({ exports }, request) => {
  const job = (await requestedJob(exports, request))?.value;
  if (!job) return err(notFound('exportJob', request));
  const [deliveries = []] = await exports.deliveries([job]);
  const shown = deliveries.map((delivery) => deliveryView(job, delivery));
  return ok({ status: 200, body: { deliveries: shown, paging: { next_page: null } } });
};
