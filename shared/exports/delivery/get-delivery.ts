import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import { loggedDeliveryView } from '../model/views.ts';
import type { DeliveriesDeps } from './list-deliveries.ts';
import { requestedDelivery } from './requested-delivery.ts';

/** `GET …/deliveries/{delivery}`: the state of one delivery, and its newest attempts. */
export const getDelivery: UseCase<DeliveriesDeps> = async ({ exports }, request) => {
  const found = await requestedDelivery(exports, request);
  if (!found) return err(notFound('delivery', request));
  return ok({ status: 200, body: loggedDeliveryView(found.job, found.seen.value) });
};
