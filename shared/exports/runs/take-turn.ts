import type { Clock } from '../../runtime/clock.ts';
import { secondsToNextLook } from '../../runtime/next-look.ts';
import type { Pause } from '../../runtime/pause.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import { cancelOpen } from './cancel-job.ts';
import type { ExportDefinition, ExportJob } from '../model/items.ts';
import { beginJob } from './jobs.ts';
import { holds, laneOf, settleLane, takeTurn } from './lane.ts';
import type { ExportRepository } from '../model/repository.ts';
import { jobReader } from './request-run.ts';

/** What taking turns needs. */
export interface TurnDeps {
  readonly exports: ExportRepository;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** It is the job's turn, and this is the definition that it works by; or it waits; or it was cancelled with its definition. */
export type Turn =
  | { readonly kind: 'taken'; readonly definition: ExportDefinition }
  | { readonly kind: 'waits'; readonly seconds: number }
  | { readonly kind: 'cancelled' };

/**
 * Lets a job run if no other job of its definition does: the definition names the one that may, until that has ended. So two
 * never run at once, and one that died stands in nobody's way once its state says so.
 */
export const turnOf = async (deps: TurnDeps, job: ExportJob): Promise<Turn> => {
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'exports: a definition');
    const seen = await deps.exports.definition(job.property, job.export);
    const lane = seen && settleLane(laneOf(seen.value), await jobReader(deps, seen.value));
    if (!seen || !lane || !holds(lane, job.job)) {
      await cancelOpen(deps, job);
      return { kind: 'cancelled' };
    }
    const next = takeTurn(lane, job.job);
    if (!next) return { kind: 'waits', seconds: secondsToNextLook(deps.clock() - job.created) };
    const definition = { ...seen.value, ...next };
    const isTaken = seen.value.current_job === job.job;
    if (isTaken || (await deps.exports.updateDefinition(seen, next)) === 'applied')
      return { kind: 'taken', definition: await beginJob(deps.exports, definition, job.job, deps.clock()) };
  }
};
