import type { Pause } from '../../runtime/pause.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import type { ImportJob } from './import-job.ts';
import type { ImportRepository } from './repository.ts';
import type { JobUpdate } from './job-items.ts';

/** What changing jobs needs. */
export interface ChangeDeps {
  readonly imports: ImportRepository;
  readonly pause: Pause;
}

/**
 * Changes a job by what its present state asks for, again when another change came first. `change` answers `undefined`
 * when nothing is left to do, or not allowed. Returns the job as it was left alone or as it was before the change.
 */
export const changeJob = async (
  { imports, pause }: ChangeDeps,
  { property, job: id }: { readonly property: number; readonly job: number },
  change: (job: ImportJob) => JobUpdate | undefined | Promise<JobUpdate | undefined>,
): Promise<ImportJob> => {
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'imports: a job');
    const job = await imports.job(property, id);
    if (!job) throw new Error('import: the job is not there');
    const wanted = await change(job);
    if (!wanted || (await imports.updateJob(job, wanted))) return job;
  }
};
