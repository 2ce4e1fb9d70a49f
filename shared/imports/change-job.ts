import type { ImportJob } from './job.ts';
import type { ImportRepository, JobChange } from './repository.ts';

/** Others change a job rarely: a handful of steps and readers that keep its end. */
const TRIES = 20;

/**
 * Changes a job by what its present state asks for, again when another change came first. `change` answers `undefined`
 * when nothing is left to do, or not allowed. Returns the job as it was left alone or as it was before the change.
 */
export const changeJob = async (
  imports: ImportRepository,
  { property, job: id }: { readonly property: number; readonly job: number },
  change: (job: ImportJob) => JobChange | undefined | Promise<JobChange | undefined>,
): Promise<ImportJob> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const job = await imports.job(property, id);
    if (!job) throw new Error('import: the job is not there');
    const wanted = await change(job);
    if (!wanted || (await imports.changeJob(job, wanted))) return job;
  }
  throw new Error('import: the job keeps changing');
};
