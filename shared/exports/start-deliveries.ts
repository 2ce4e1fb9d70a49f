import type { Workflow } from '../runtime/ports.ts';
import type { JobRef } from './items.ts';
import type { ExportRepository } from './repository.ts';

/** What starting deliveries needs. */
export interface StartDeliveriesDeps {
  readonly exports: ExportRepository;
  readonly deliveries: Workflow;
}

/**
 * Starts delivering a job that has ended, when there is anything to deliver. `cause` names the execution, so that starting it
 * again is harmless.
 */
export const startDeliveries = async (
  { exports, deliveries }: StartDeliveriesDeps,
  { property, export: id, job }: JobRef,
  cause = 'first',
): Promise<void> => {
  const ref = { property, export: id, job };
  const [wanted = []] = await exports.deliveries([ref]);
  if (wanted.length > 0) await deliveries.start(`p${property}-deliver-${job}-${cause}`, ref);
};
