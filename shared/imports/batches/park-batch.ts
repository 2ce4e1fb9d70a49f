import type { BatchMessage } from '../model/messages.ts';
import type { ImportRepository } from '../model/repository.ts';

interface ParkDeps {
  readonly imports: Pick<ImportRepository, 'batch' | 'updateBatch'>;
  readonly clock: () => number;
}

/**
 * Notes that a batch is given up for now, so that its job comes to an end that says so. A result that it gets later, by a
 * redrive, counts all the same.
 */
export const parkBatch = async (
  { imports, clock }: ParkDeps,
  { property, job, batch: uuid }: Omit<BatchMessage, 'v'>,
): Promise<void> => {
  const batch = await imports.batch(property, job, uuid);
  if (batch && !batch.result) await imports.updateBatch({ property, id: job }, batch, { parked: clock() });
};
