import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import type { Problem } from '../../http/problem.ts';
import { requestCause } from '../../edge/request-cause.ts';
import { problems } from '../../http/problem.ts';
import type { Workflow } from '../../runtime/ports.ts';
import type { Result } from '../../runtime/result.ts';
import { err, ok } from '../../runtime/result.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import { newDelivery } from './deliveries.ts';
import type { DeliveryKind, ExportDelivery, ExportJob, JobRef } from '../model/items.ts';
import { deliveryKinds } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { startDeliveries } from './start-deliveries.ts';
import { deliveryId, deliveryView, loggedDeliveryView } from '../model/views.ts';

/** What reading deliveries needs. */
export interface DeliveriesDeps {
  readonly exports: ExportRepository;
}

/** What asking for a delivery again needs. */
export interface ReplayDeps extends DeliveriesDeps {
  readonly deliveries: Workflow;
}

type Answer = Promise<Result<ApiAnswer, Problem>>;
type Request = ApiRequest<unknown, unknown>;

/** `GET exports/{export_id}/jobs/{job_id}/deliveries`: how each way of delivering a job stands. */
export const listDeliveries = async ({ exports }: DeliveriesDeps, request: Request): Answer => {
  const job = await jobOf(exports, request);
  if (!job) return err(problems.notFound());
  const [deliveries = []] = await exports.deliveries([job]);
  const shown = deliveries.map((delivery) => deliveryView(job, delivery));
  return ok({ status: 200, body: { deliveries: shown, paging: { next_page: null } } });
};

/** `GET …/deliveries/{delivery}`: how one way of delivering a job stands, with its newest attempts. */
export const getDelivery = async ({ exports }: DeliveriesDeps, request: Request): Answer => {
  const job = await jobOf(exports, request);
  const kind = job && kindOf(job, request.path['delivery']);
  const seen = kind && (await exports.delivery(job, kind));
  return seen ? ok({ status: 200, body: loggedDeliveryView(job, seen.value) }) : err(problems.notFound());
};

/**
 * `POST …/deliveries/{delivery}/replay`: delivers once more, at once and with three new days of retries, whatever became
 * of it before. 409 while the job runs, or an attempt is under way. A repeated request under one `Idempotency-Key` asks for
 * the same replay.
 */
export const replayDelivery = async (deps: ReplayDeps, request: Request): Answer => {
  const { exports } = deps;
  const job = await jobOf(exports, request);
  const kind = job && kindOf(job, request.path['delivery']);
  const seen = kind && (await exports.delivery(job, kind));
  if (!seen) return err(problems.notFound());
  if (job.status !== 'complete' && job.status !== 'failed') return err(notEnded);
  const replay = await exports.replayOf(requestCause(request), seen.value.replays + 1);
  const isAsked = seen.value.replays >= replay;
  if (!isAsked && isUnderWay(seen.value, request.now)) return err(underWay);
  const again = isAsked ? seen.value : newDelivery(kind, seen.value);
  // Noted first: when we die before the execution is started, the repair starts it.
  await exports.addOutboxTask({
    property: job.property,
    export: job.export,
    job: job.job,
    created: request.now,
    revision: null,
  });
  // Whoever else wrote it in between has begun an attempt, or asked for one.
  if (!isAsked && (await exports.updateDelivery(job, again, { w: seen.w })) === 'refused')
    return err(underWay);
  await startDeliveries(deps, job);
  return ok({ status: 202, body: deliveryView(job, again) });
};

const notEnded = problems.conflict('job_not_ended', 'The job has not ended with a file or a failure.');
const underWay = problems.conflict(
  'delivery_in_progress',
  'An attempt is under way; its outcome shows soon.',
);

const isUnderWay = ({ state, next_attempt }: ExportDelivery, now: number): boolean =>
  state === 'sending' && (next_attempt ?? 0) > now;

const kindOf = (job: ExportJob, id: string | undefined): DeliveryKind | undefined =>
  deliveryKinds.find((kind) => deliveryId(job, kind) === id);

const jobOf = async (
  exports: ExportRepository,
  { property, path }: Request,
): Promise<ExportJob | undefined> => {
  const ref: JobRef = {
    property: property.id,
    export: Number(path['export_id']),
    job: Number(path['job_id']),
  };
  const own = belongsTo(property.id, ref.export) && belongsTo(property.id, ref.job);
  const there = own && (await exports.definition(property.id, ref.export));
  return there ? (await exports.job(ref))?.value : undefined;
};
