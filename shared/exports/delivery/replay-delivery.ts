/** Replay delivery: starts a delivery again at the request of a client. */
import { newDelivery } from '../../deliveries/delivery-state.ts';
import { requestIdentityOf } from '../../edge/request-identity.ts';
import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { ExportDelivery } from '../model/items.ts';
import { deliveryView } from '../model/views.ts';
import { requestedDelivery } from './requested-delivery.ts';
import { startDeliveries, type StartDeliveriesDeps } from './start-deliveries.ts';

/**
 * `POST …/deliveries/{delivery}/replay`: delivers once more, at once and with three new days of retries, whatever the
 * state of the delivery. 409 while the job is open, and while an attempt is under way. A repeated request with the same
 * `Idempotency-Key` makes one replay.
 */
export const replayDelivery = async (
  deps: StartDeliveriesDeps,
  request: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const { exports } = deps;
  const found = await requestedDelivery(exports, request);
  if (!found) return err(notFound('delivery', request));
  const { job, kind, seen } = found;
  if (job.status !== 'complete' && job.status !== 'failed') return err(openJob);
  const replay = await exports.replayOf(requestIdentityOf(request), seen.value.replays + 1);
  const isRepeated = seen.value.replays >= replay;
  if (!isRepeated && isUnderWay(seen.value, request.now)) return err(underWay);
  const after = isRepeated ? seen.value : newDelivery(kind, seen.value);
  // The outbox task comes first: if the function dies before the execution starts, the reconciliation starts it.
  const { property, export: id } = job;
  const task = { property, export: id, job: job.job, created: request.now, revision: null };
  await exports.addOutboxTask(task);
  // Refused when another writer began an attempt or a replay in between.
  if (!isRepeated && (await exports.updateDelivery(job, after, { w: seen.w })) === 'refused')
    return err(underWay);
  await startDeliveries(deps, job);
  return ok({ status: 202, body: deliveryView(job, after) });
};

const openJob = problems.conflict('job_not_ended', 'The job has not ended with a file or a failure.');
const underWay = problems.conflict(
  'delivery_in_progress',
  'An attempt is under way; its outcome shows soon.',
);

const isUnderWay = ({ state, next_attempt }: ExportDelivery, now: number): boolean =>
  state === 'sending' && (next_attempt ?? 0) > now;
