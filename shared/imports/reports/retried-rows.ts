import type { Batch } from '../items/batch.ts';
import { parseRowRanges } from './row-ranges.ts';

/** The refused rows that the client sent again, by the UUID of the batch that refused them. */
export const retriedRows = (batches: readonly Batch[]): ReadonlyMap<string, ReadonlySet<number>> => {
  const retried = new Map<string, Set<number>>();
  for (const { retry } of batches) {
    for (const { batch, rows } of retry?.rows ?? []) {
      const known = retried.get(batch) ?? new Set();
      for (const row of parseRowRanges(rows)) known.add(row);
      retried.set(batch, known);
    }
  }
  return retried;
};
