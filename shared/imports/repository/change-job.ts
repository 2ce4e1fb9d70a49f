/** Change job: changes an import job under optimistic locking. The `changeJob` of exports changes export jobs. */
import type { Pause } from '../../runtime/pause.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import type { ImportJob } from '../items/import-job.ts';
import type { ImportRepository } from './repository.ts';
import type { JobUpdate } from './stored-items.ts';

export interface ChangeDeps {
  readonly imports: ImportRepository;
  readonly pause: Pause;
}

/** A job that somebody has read before. No job is ever removed while its property exists. */
export const existingJob = async (
  imports: Pick<ImportRepository, 'job'>,
  property: number,
  id: number,
): Promise<ImportJob> => {
  const job = await imports.job(property, id);
  if (!job) throw new Error('import: the job does not exist');
  return job;
};

/**
 * Changes a job with optimistic locking: reads the job, decides by its state, writes on condition, and retries after a
 * conflict. `change` returns `undefined` when there is nothing to change. Returns the job as it was read.
 */
export const changeJob = (
  { imports, pause }: ChangeDeps,
  { property, job: id }: { readonly property: number; readonly job: number },
  change: (job: ImportJob) => JobUpdate | undefined | Promise<JobUpdate | undefined>,
): Promise<ImportJob> =>
  retryOnConflict({ pause, what: 'imports: a job' }, async () => {
    const job = await existingJob(imports, property, id);
    const update = await change(job);
    return !update || (await imports.updateJob(job, update)) ? done(job) : 'conflict';
  });
