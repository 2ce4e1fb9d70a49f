import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { requestCause } from '../../edge/request-cause.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import { acknowledgeJob } from '../model/acknowledge-job.ts';
import { requestRun, type RunDeps } from './request-run.ts';

/**
 * `POST exports/{export_id}/jobs`: runs the definition again and answers the job that does; 409 when something that it names
 * has been deleted since.
 */
export const createExportJob = async (
  deps: RunDeps,
  request: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const { property, path } = request;
  const id = Number(path['export_id']);
  // Read first: a cause gives no id to what is not there.
  const known = belongsTo(property.id, id) && (await deps.exports.definition(property.id, id));
  if (!known) return err(problems.notFound());
  const run = await requestRun(deps, {
    property: property.id,
    export: id,
    requestKey: requestCause(request),
  });
  if (run.ok) return ok({ status: 202, body: await acknowledgeJob(deps, run.value) });
  return err(run.error === 'missing' ? problems.notFound() : gone);
};

const gone = problems.conflict('targets_gone', 'A segment or collection that the export names was deleted.');
