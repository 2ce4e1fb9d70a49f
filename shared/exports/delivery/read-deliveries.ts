/** Read deliveries: the routes that show the deliveries of a job. */
import type { ApiRequest, UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import type { Versioned } from '../../table/versioned.ts';
import { deliveryKinds, type DeliveryKind, type ExportDelivery, type ExportJob } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestedJob } from '../model/named-items.ts';
import { deliveryId, deliveryView, loggedDeliveryView } from '../model/views.ts';

/** A delivery and its job. */
export interface RequestedDelivery {
  readonly job: ExportJob;
  readonly kind: DeliveryKind;
  readonly seen: Versioned<ExportDelivery>;
}

/** The delivery that the path of a request names; `undefined` when the job has no such delivery. */
export const requestedDelivery = async (
  exports: ExportRepository,
  request: ApiRequest<unknown, unknown>,
): Promise<RequestedDelivery | undefined> => {
  const job = (await requestedJob(exports, request))?.value;
  const kind = job && deliveryKinds.find((each) => deliveryId(job, each) === request.path['delivery']);
  const seen = kind && (await exports.delivery(job, kind));
  return seen && { job, kind, seen };
};

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

/** `GET …/deliveries/{delivery}`: the state of one delivery, and its newest attempts. */
export const getDelivery: UseCase<DeliveriesDeps> = async ({ exports }, request) => {
  const found = await requestedDelivery(exports, request);
  if (!found) return err(notFound('delivery', request));
  return ok({ status: 200, body: loggedDeliveryView(found.job, found.seen.value) });
};
