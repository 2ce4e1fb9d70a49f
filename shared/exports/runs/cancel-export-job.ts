import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Pause } from '../../runtime/pause.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import { isOpen, type ExportJob, type JobRef } from '../model/items.ts';
import { acknowledgeJob } from '../model/acknowledge-job.ts';
import type { ExportRepository } from '../model/repository.ts';

interface CancelDeps {
  readonly exports: ExportRepository;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** Makes a job `cancelled` unless it has ended. Answers it as it is then; `undefined` when there is none. */
export const cancelOpen = async (
  { exports, clock, pause }: CancelDeps,
  ref: JobRef,
): Promise<ExportJob | undefined> => {
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'exports: a job');
    const seen = await exports.job(ref);
    if (!seen || !isOpen(seen.value)) return seen?.value;
    const set = { status: 'cancelled', finished: clock() } as const;
    if ((await exports.updateJob(ref, seen.w, set)) === 'applied') return { ...seen.value, ...set };
  }
};

/**
 * `POST exports/{export_id}/jobs/{job_id}/cancel`: the job's steps find it cancelled and stop; it gets no file and nobody is
 * told. Cancelled again, it is as it was; 409 for a job that is complete or failed.
 */
export const cancelExportJob = async (
  deps: CancelDeps,
  { property, path }: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const ref = { property: property.id, export: Number(path['export_id']), job: Number(path['job_id']) };
  const own = belongsTo(property.id, ref.export) && belongsTo(property.id, ref.job);
  const there = own && (await deps.exports.definition(property.id, ref.export));
  const job = there ? await cancelOpen(deps, ref) : undefined;
  if (!job) return err(problems.notFound());
  if (job.status !== 'cancelled') return err(problems.conflict('job_ended', 'The job has ended already.'));
  return ok({ status: 200, body: await acknowledgeJob(deps, job) });
};
