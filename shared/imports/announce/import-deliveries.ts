/** Import deliveries: lists what was announced about the end of an import, and announces it once more for a client. */
import { beginReplay } from '../../deliveries/begin-replay.ts';
import { shownDelivery, shownDeliveryLog } from '../../deliveries/views.ts';
import type { ApiRequest, UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { type Problem, problems } from '../../http/problem.ts';
import type { Workflow } from '../../runtime/ports.ts';
import { err, ok } from '../../runtime/result.ts';
import { type ProgressDeps, readProgress } from '../jobs/read-progress.ts';
import { jobInPath } from '../repository/find-in-path.ts';
import { type ImportDelivery, importDeliveryId } from '../items/import-delivery.ts';
import type { ImportJob } from '../items/import-job.ts';
import { hasEnded } from '../items/job-status.ts';
import { addTask, type AddTaskDeps } from '../../tasks/tasks.ts';
import { jobTask } from '../jobs/import-tasks.ts';
import type { ImportRepository } from '../repository/repository.ts';
import { requestIdentityOf } from '../../table/idempotent-ids.ts';

export interface ReplayDeps extends ProgressDeps, AddTaskDeps {
  readonly workflow: Workflow;
}

/**
 * `POST …/deliveries/{delivery}/replay`: announces the end of a job once more, at once and with three new days of retries,
 * whatever the state of the delivery. 409 while the job runs, and while an attempt is under way. A repeated request with
 * the same `Idempotency-Key` makes one replay.
 */
export const replayAnnouncement: UseCase<ReplayDeps> = async (deps, request) => {
  const { imports, workflow } = deps;
  const found = await requestedDelivery(deps, request);
  if (!found) return err(notFound('delivery', request));
  const { job, delivery } = found;
  const stored = imports.importDelivery(job, delivery.kind);
  const seen = await stored.read();
  if (!seen) return err(notFound('delivery', request));
  const { status, processing } = await readProgress(deps, job);
  if (!hasEnded(status) || status === 'cancelled' || processing > 0) return err(runs());
  const begun = await beginReplay({
    seen,
    now: request.now,
    numberOf: (next) => imports.replayOf(requestIdentityOf(request), next),
    // If the function dies before the workflow starts, the repair finds the delivery.
    promise: () => addTask(deps, jobTask(job.property, job.id, request.now)),
    update: stored.update,
  });
  if (!begun.ok) return begun;
  const { property, import: importId, id } = job;
  const { kind, replays } = begun.value;
  // Every step that is done already does nothing, and the last step makes the delivery.
  const name = `p${property}-import-${id}-replay-${kind}-${replays}`;
  await workflow.start(name, { property, import: importId, job: id });
  return ok({ status: 202, body: shownDelivery(importDeliveryId(job, kind), begun.value) });
};

const runs = (): Problem =>
  problems.conflict('job_not_ended', 'The job has not ended with an import or a failure.');

/** The delivery that the path of a request names. A deleted definition has none. */
const requestedDelivery = async (
  { imports }: Pick<ReplayDeps, 'imports'>,
  request: ApiRequest<unknown, unknown>,
): Promise<{ readonly job: ImportJob; readonly delivery: ImportDelivery } | undefined> => {
  const job = await jobInPath(imports, request);
  const definition = job && (await imports.definitionOfJob(job));
  if (!definition || definition.deleted) return undefined;
  const deliveries = await imports.importDeliveries(job);
  const delivery = deliveries.find(({ kind }) => importDeliveryId(job, kind) === request.path['delivery']);
  return delivery && { job, delivery };
};

/** `GET deliveries`: the state of each delivery about the end of a job that has begun, with its newest attempts. */
export const listImportDeliveries: UseCase<{ readonly imports: ImportRepository }> = async (
  { imports },
  request,
) => {
  const job = await jobInPath(imports, request);
  if (!job) return err(notFound('importJob', request));
  const deliveries = await imports.importDeliveries(job);
  const shown = deliveries.map((delivery) =>
    shownDeliveryLog(importDeliveryId(job, delivery.kind), delivery),
  );
  return ok({ status: 200, body: { deliveries: shown } });
};
