import type { ExportJob } from './items.ts';
import type { ExportRepository } from './repository.ts';
import { jobView, type JobView } from './views.ts';

/** The view of a job without its locations: the answer to a request that changed the job. */
export const acknowledgeJob = async (
  { exports }: { readonly exports: Pick<ExportRepository, 'deliveries'> },
  job: ExportJob,
): Promise<JobView> => {
  const [deliveries = []] = await exports.deliveries([job]);
  return jobView(job, { deliveries, partsDone: 0, location: null, manifest: null });
};
