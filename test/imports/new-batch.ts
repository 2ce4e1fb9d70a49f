import type { Batch } from '../../shared/imports/items/batch.ts';
import { tiers } from '../../shared/profiles/types.ts';

/** A batch of records that no worker has begun. `more` has the fields that a test sets. */
export const newBatch = (more: Partial<Batch>): Batch => ({
  ...{ w: 'w', uuid: 'u', slot: 0, name: 'batch', accepted: 10, records: 10, skipAppends: false },
  ...{ tier: tiers.stated, begun: null, repeated: false, admitted: false, parked: null, requeued: null },
  ...{ retry: null, source: { kind: 'records', key: 'k' }, result: null },
  ...more,
});
