import { requestDrains } from '../../shared/membership/drain.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';

/** Asks the drainer to index the journal entries of groups of a property. */
export const drainRequester = (env: Env<'DRAINS_QUEUE_URL'>) => {
  const deps = { drains: queue(env('DRAINS_QUEUE_URL')), ids: systemIds };
  return (property: number, groups: readonly number[]): Promise<void> =>
    requestDrains(
      deps,
      groups.map((group) => ({ property, group })),
    );
};
