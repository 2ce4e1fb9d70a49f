import type { Clock } from '../../runtime/clock.ts';
import type { Pause } from '../../runtime/pause.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import { isOpen, type JobRef, type JobStatus } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requireJob } from '../model/required-items.ts';

/** What failing a job needs. */
export interface FailDeps {
  readonly exports: ExportRepository;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** Names of errors that a client can be told the meaning of; all others are our own trouble. */
const reasons: Readonly<Record<string, { readonly code: string; readonly detail: string }>> = {
  'States.Timeout': { code: 'timed_out', detail: 'The export took longer than a step may.' },
  'Sandbox.Timedout': { code: 'timed_out', detail: 'The export took longer than a step may.' },
  SealBrokenError: { code: 'part_damaged', detail: 'A part of the export was damaged.' },
  ObjectChangedError: { code: 'part_damaged', detail: 'A part of the export was damaged.' },
};
const internal = { code: 'internal_error', detail: 'The export could not be produced.' };

/**
 * Makes a job `failed` with a reason, whatever step it was in; `error` is the name the workflow gives the error. A job
 * that has ended already keeps its state. Answers the state it is in then.
 */
export const failExport = async (
  deps: FailDeps,
  ref: JobRef,
  error: string,
): Promise<{ readonly status: JobStatus }> => {
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'exports: a job');
    const { value: job, w } = await requireJob(deps.exports, ref);
    if (!isOpen(job)) return { status: job.status };
    const reason = Object.hasOwn(reasons, error) ? reasons[error] : undefined;
    const set = { status: 'failed', finished: deps.clock(), error: reason ?? internal } as const;
    if ((await deps.exports.updateJob(ref, w, set)) === 'applied') return { status: 'failed' };
  }
};
