/** Acquire run slot: lets a job run only while no other job of its definition does. */
import type { Clock } from '../../runtime/clock.ts';
import { secondsToNextPoll } from '../../runtime/poll-interval.ts';
import type { Pause } from '../../runtime/pause.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import type { ExportDefinition, ExportJob } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { cancelJob } from './end-job.ts';
import { beginJob } from './launch-job.ts';
import { jobFinder } from './request-run.ts';
import { acquireSlot, isQueued, runQueueOf, withoutEndedJobs } from './run-queue.ts';

export interface SlotDeps {
  readonly exports: ExportRepository;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** The job acquired the slot and works by this definition; or it waits; or it was cancelled with its definition. */
export type SlotOutcome =
  | { readonly kind: 'acquired'; readonly definition: ExportDefinition }
  | { readonly kind: 'waiting'; readonly seconds: number }
  | { readonly kind: 'cancelled' };

/**
 * Acquires the concurrency slot of the definition for a job. The definition names the holder of the slot until that job has
 * ended, and its changes are told or given up. So two jobs never run at once, and a dead job blocks nobody once its state
 * says that it ended.
 */
export const acquireRunSlot = (deps: SlotDeps, job: ExportJob): Promise<SlotOutcome> =>
  retryOnConflict<SlotOutcome>({ pause: deps.pause, what: 'exports: a definition' }, async () => {
    const seen = await deps.exports.definition(job.property, job.export);
    const findJob = seen && (await jobFinder(deps, seen.value, { now: deps.clock() }));
    const queue = seen && findJob && withoutEndedJobs(runQueueOf(seen.value), findJob);
    if (!seen || !queue || !isQueued(queue, job.job)) {
      await cancelJob(deps, job);
      return done({ kind: 'cancelled' });
    }
    const next = acquireSlot(queue, job.job);
    if (!next) return done({ kind: 'waiting', seconds: secondsToNextPoll(deps.clock() - job.created) });
    const isHolder = seen.value.current_job === job.job;
    if (!isHolder && (await deps.exports.updateDefinition(seen, next)) === 'refused') return 'conflict';
    const current = { ...seen.value, ...next };
    const definition = await beginJob(deps.exports, current, job.job, deps.clock());
    return done({ kind: 'acquired', definition });
  });
