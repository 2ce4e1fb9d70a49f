import type { Workflow } from '../../runtime/ports.ts';
import type { JobRef } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';

export interface StartDeliveriesDeps {
  readonly exports: ExportRepository;
  readonly deliveries: Workflow;
}

/**
 * Starts the waiting deliveries of an ended job. The name of an execution is made from its deliveries, so a second
 * start is harmless: the reconciliation may start them at any time.
 */
export const startDeliveries = async (
  { exports, deliveries }: StartDeliveriesDeps,
  { property, export: id, job }: JobRef,
): Promise<void> => {
  const ref = { property, export: id, job };
  const [known = []] = await exports.deliveries([ref]);
  const waiting = known.filter(({ state }) => state === 'waiting');
  const runs = new Set(waiting.map(({ kind, replays }) => (replays === 0 ? 'first' : `${kind}-${replays}`)));
  for (const run of runs) await deliveries.start(`p${property}-deliver-${job}-${run}`, ref);
};

/** Starts one more execution for the deliveries of a job, whose number makes a second start harmless. */
export const continueDeliveries = async (
  { deliveries }: Pick<StartDeliveriesDeps, 'deliveries'>,
  { property, export: id, job }: JobRef,
  number: number,
): Promise<void> => {
  await deliveries.start(`p${property}-deliver-${job}-again-${number}`, { property, export: id, job });
};
