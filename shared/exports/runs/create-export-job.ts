import { noteMade } from '../../auth/made-things.ts';
import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems } from '../../http/problem.ts';
import { err, ok } from '../../runtime/result.ts';
import { acknowledgeJob } from '../model/change-job.ts';
import { requestedDefinition } from '../model/named-items.ts';
import { requestRun, type RunDeps } from './request-run.ts';
import { requestIdentityOf } from '../../table/idempotent-ids.ts';

/**
 * `POST exports/{export_id}/jobs`: runs the definition again and answers the job of this run; 409 when a target of the
 * export was deleted.
 */
export const createExportJob: UseCase<RunDeps> = async (deps, request) => {
  // Read first, so that a request for an unknown definition uses up no job id.
  const known = await requestedDefinition(deps.exports, request);
  if (!known) return err(notFound('export', request));
  const { property, export: id } = known.value;
  const requestIdentity = requestIdentityOf(request);
  const maker = { property, user: request.user.id, now: request.now };
  // The job of this request, unless it is coalesced with one that waits.
  const own = await deps.exports.jobIdOf(requestIdentity);
  await noteMade(deps.table, maker, { kind: 'job', export: id, job: own });
  const run = await requestRun(deps, { property, export: id, requestIdentity, job: own });
  if (run.ok && run.value.job !== own)
    await noteMade(deps.table, maker, { kind: 'job', export: id, job: run.value.job });
  if (run.ok) return ok({ status: 202, body: await acknowledgeJob(deps, run.value) });
  return err(run.error === 'missing' ? notFound('export', request) : deletedTargets);
};

const deletedTargets = problems.conflict(
  'targets_gone',
  'A segment or collection that the export names was deleted.',
);
