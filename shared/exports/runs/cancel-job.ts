import type { Clock } from '../../runtime/clock.ts';
import { changeJob, type ChangeDeps } from '../model/change-job.ts';
import type { ExportJob, JobRef } from '../model/items.ts';
import { canMove, moved } from '../model/transitions.ts';

export interface CancelDeps extends ChangeDeps {
  readonly clock: Clock;
}

/** Cancels a job unless it has ended. Returns the job as it is now; `undefined` when there is none. */
export const cancelJob = (deps: CancelDeps, ref: JobRef): Promise<ExportJob | undefined> =>
  changeJob(deps, ref, (job) =>
    canMove(job, 'cancel') ? { ...moved('cancel'), finished: deps.clock() } : undefined,
  );
