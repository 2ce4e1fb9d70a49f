/** Replay delivery: starts a delivery again at the request of a client. */
import { beginReplay } from '../../deliveries/begin-replay.ts';
import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems } from '../../http/problem.ts';
import { err, ok } from '../../runtime/result.ts';
import { addTask, type AddTaskDeps } from '../../tasks/tasks.ts';
import { deliveryView } from '../model/views.ts';
import { jobTask } from '../model/repository.ts';
import { membersForgotten, type ForgottenDeps } from '../parts/forgotten-members.ts';
import { beginTelling, isOvertaken, supersededChanges, type ReplayChangesDeps } from './replay-changes.ts';
import { isSuperseded, supersededFile } from './shared-path.ts';
import { requestedDelivery } from './read-deliveries.ts';
import { startDeliveries, type StartDeliveriesDeps } from './start-deliveries.ts';
import { requestIdentityOf } from '../../table/idempotent-ids.ts';

/**
 * `POST …/deliveries/{delivery}/replay`: delivers once more, at once and with three new days of retries, whatever the
 * state of the delivery. 409 while the job is open, while an attempt is under way, for a file whose name a newer run has,
 * for changes once a later job has begun, and for a file once somebody in it was forgotten. A repeated request with the
 * same `Idempotency-Key` makes one replay.
 */
export const replayDelivery: UseCase<
  StartDeliveriesDeps & ForgottenDeps & AddTaskDeps & ReplayChangesDeps
> = async (deps, request) => {
  const { exports } = deps;
  const found = await requestedDelivery(exports, request);
  if (!found) return err(notFound('delivery', request));
  const { job, kind, seen } = found;
  if (job.status !== 'complete' && job.status !== 'failed') return err(openJob);
  if (await isSuperseded(exports, kind, job)) return err(superseded);
  const tells = kind === 'changes';
  if (tells && (await isOvertaken(deps, job))) return err(overtaken);
  if (!tells && (await deps.hasForgotten(job))) return err(forgotten);
  const begun = await beginReplay({
    seen,
    now: request.now,
    numberOf: (next) => exports.replayOf(requestIdentityOf(request), next),
    promise: async () => {
      // If the function dies before the execution starts, the reconciliation starts it.
      await addTask(deps, jobTask(job, request.now));
    },
    update: tells ? beginTelling(deps, job, seen.value) : exports.updateDelivery.bind(undefined, job),
  });
  if (!begun.ok) return tells && (await isOvertaken(deps, job)) ? err(overtaken) : begun;
  await startDeliveries(deps, job);
  return ok({ status: 202, body: deliveryView(job, begun.value) });
};

const superseded = problems.conflict('superseded', supersededFile);
const overtaken = problems.conflict('superseded', supersededChanges);
const forgotten = problems.conflict('members_forgotten', membersForgotten);
const openJob = problems.conflict('job_not_ended', 'The job has not ended with a file or a failure.');
