import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Pause } from '../../runtime/pause.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import type { ExportJob, JobRef } from '../model/items.ts';
import { acknowledgeJob } from '../model/acknowledge-job.ts';
import type { ExportRepository } from '../model/repository.ts';

interface WithdrawDeps {
  readonly exports: ExportRepository;
  readonly clock: Clock;
  readonly pause: Pause;
}

/**
 * `DELETE exports/{export_id}/jobs/{job_id}/location`: from now on no address that was told of the job's file or manifest opens,
 * to whomever it was told. Withdrawn again, it is as it was; 409 for a job without a file.
 */
export const withdrawLocation = async (
  deps: WithdrawDeps,
  { property, path }: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const ref = { property: property.id, export: Number(path['export_id']), job: Number(path['job_id']) };
  const own = belongsTo(property.id, ref.export) && belongsTo(property.id, ref.job);
  const there = own && (await deps.exports.definition(property.id, ref.export));
  const job = there ? await closeFile(deps, ref) : undefined;
  if (!job) return err(problems.notFound());
  if (!job.file) return err(problems.conflict('no_location', 'The job has no file; cancel it to get none.'));
  return ok({ status: 200, body: await acknowledgeJob(deps, job) });
};

/** Ends the time for which a file opens. Answers the job as it is then; `undefined` when there is none. */
const closeFile = async (
  { exports, clock, pause }: WithdrawDeps,
  ref: JobRef,
): Promise<ExportJob | undefined> => {
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'exports: a job');
    const seen = await exports.job(ref);
    const file = seen?.value.file;
    const now = clock();
    if (!seen || !file || file.expires <= now) return seen?.value;
    const set = { file: { ...file, expires: now } };
    if ((await exports.updateJob(ref, seen.w, set)) === 'applied') return { ...seen.value, ...set };
  }
};
