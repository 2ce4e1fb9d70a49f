import type { Clock } from '../../runtime/clock.ts';
import { secondsToNextPoll } from '../../runtime/poll-interval.ts';
import type { Pause } from '../../runtime/pause.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import { cancelOpen } from './cancel-export-job.ts';
import type { ExportDefinition, ExportJob } from '../model/items.ts';
import { beginJob } from './launch-job.ts';
import { isQueued, runQueueOf, withoutEndedJobs, acquireSlot } from './run-queue.ts';
import type { ExportRepository } from '../model/repository.ts';
import { jobReader } from './request-run.ts';

/** What taking turns needs. */
export interface SlotDeps {
  readonly exports: ExportRepository;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** It is the job's turn, and this is the definition that it works by; or it waits; or it was cancelled with its definition. */
export type SlotOutcome =
  | { readonly kind: 'acquired'; readonly definition: ExportDefinition }
  | { readonly kind: 'waiting'; readonly seconds: number }
  | { readonly kind: 'cancelled' };

/**
 * Lets a job run if no other job of its definition does: the definition names the one that may, until that has ended. So two
 * never run at once, and one that died stands in nobody's way once its state says so.
 */
export const acquireRunSlot = async (deps: SlotDeps, job: ExportJob): Promise<SlotOutcome> => {
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'exports: a definition');
    const seen = await deps.exports.definition(job.property, job.export);
    const lane = seen && withoutEndedJobs(runQueueOf(seen.value), await jobReader(deps, seen.value));
    if (!seen || !lane || !isQueued(lane, job.job)) {
      await cancelOpen(deps, job);
      return { kind: 'cancelled' };
    }
    const next = acquireSlot(lane, job.job);
    if (!next) return { kind: 'waiting', seconds: secondsToNextPoll(deps.clock() - job.created) };
    const definition = { ...seen.value, ...next };
    const isTaken = seen.value.current_job === job.job;
    if (isTaken || (await deps.exports.updateDefinition(seen, next)) === 'applied')
      return {
        kind: 'acquired',
        definition: await beginJob(deps.exports, definition, job.job, deps.clock()),
      };
  }
};
