import type { ApiRequest } from '../../http/api-types.ts';
import type { Versioned } from '../../table/versioned.ts';
import { deliveryKinds, type DeliveryKind, type ExportDelivery, type ExportJob } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestedJob } from '../model/requested-items.ts';
import { deliveryId } from '../model/views.ts';

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
