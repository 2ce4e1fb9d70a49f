/** Change job: changes an export job under optimistic locking, and shows the changed job. */
import type { Pause } from '../../runtime/pause.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import type { ExportJob, JobRef } from './items.ts';
import type { ExportRepository } from './repository.ts';
import { jobView, type JobView } from './views.ts';

export interface ChangeDeps {
  readonly exports: Pick<ExportRepository, 'job' | 'updateJob'>;
  readonly pause: Pause;
}

/**
 * Changes a job under optimistic locking. `decide` gets the job as read, and runs again when another writer changed it in
 * between; it returns `undefined` to leave the job alone. Returns the job as it is now; `undefined` when there is none.
 */
export const changeJob = (
  { exports, pause }: ChangeDeps,
  ref: JobRef,
  decide: (job: ExportJob) => Partial<ExportJob> | undefined,
): Promise<ExportJob | undefined> =>
  retryOnConflict({ pause, what: 'exports: a job' }, async () => {
    const seen = await exports.job(ref);
    const set = seen && decide(seen.value);
    if (!set) return done(seen?.value);
    const outcome = await exports.updateJob(ref, seen.w, set);
    return outcome === 'applied' ? done({ ...seen.value, ...set }) : 'conflict';
  });

/** The view of a job without its locations: the answer to a request that changed the job. */
export const acknowledgeJob = async (
  { exports }: { readonly exports: Pick<ExportRepository, 'deliveries'> },
  job: ExportJob,
): Promise<JobView> => {
  const [deliveries = []] = await exports.deliveries([job]);
  return jobView(job, { deliveries, partsDone: 0, location: null, manifest: null });
};
