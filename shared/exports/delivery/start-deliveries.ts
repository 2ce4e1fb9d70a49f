import type { Workflow } from '../../runtime/ports.ts';
import type { JobRef } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';

/** What starting deliveries needs. */
export interface StartDeliveriesDeps {
  readonly exports: ExportRepository;
  readonly deliveries: Workflow;
}

/**
 * Starts what waits to be delivered of a job that has ended. The name of an execution is made from what it delivers, so
 * starting it again is harmless: a repair may do it at any time.
 */
export const startDeliveries = async (
  { exports, deliveries }: StartDeliveriesDeps,
  { property, export: id, job }: JobRef,
): Promise<void> => {
  const ref = { property, export: id, job };
  const [known = []] = await exports.deliveries([ref]);
  const waiting = known.filter(({ state }) => state === 'waiting');
  const causes = new Set(
    waiting.map(({ kind, replays }) => (replays === 0 ? 'first' : `${kind}-${replays}`)),
  );
  for (const cause of causes) await deliveries.start(`p${property}-deliver-${job}-${cause}`, ref);
};
