/** Reason sums: the reasons of up to 8,192 batches of a job, which tell why rows were refused without its batches. */
import * as v from 'valibot';
import type { Batch } from '../items/batch.ts';
import { addReasons, type Reason, reasonList } from '../items/reasons.ts';
import { bitSet, slotName } from './slot-bits.ts';

/** Fewer and larger items than the tallies: only batches with refused or warned rows write them. */
const slots = { perItem: 8_192, spread: 4 } as const;
const counted = bitSet(slots);

/** Schema of the item with the sums of a group of batches. */
export const reasonSumsItem = v.object({
  /** One bit for each batch whose retried rows are subtracted, and whose result is added. */
  retried: counted.schema,
  finished: counted.schema,
  refusedBy: reasonList,
  warnedBy: reasonList,
});

/** The sums over a group of batches. */
export type ReasonSums = Readonly<v.InferOutput<typeof reasonSumsItem>>;

/** The parts of a batch that the sums depend on. */
export type ReasonedBatch = Pick<Batch, 'slot' | 'source' | 'retry' | 'result'>;

/** Sums without batches. */
export const noReasonSums: ReasonSums = {
  retried: counted.empty(),
  finished: counted.empty(),
  refusedBy: [],
  warnedBy: [],
};

/** The name of the sums of a batch in its job. */
export const reasonSumsName = (batch: Pick<Batch, 'slot' | 'source'>): string => slotName(slots, batch);

/** Whether a batch changes any sums. Most batches do not. */
export const hasReasons = ({ retry, result }: ReasonedBatch): boolean =>
  [retry?.refusedBy, result?.refusedBy, result?.warnedBy].some((reasons) => (reasons?.length ?? 0) > 0);

/** Adds a batch in the state in which it was read. A state that was added already changes nothing. */
export const withReasons = (sums: ReasonSums, { slot, retry, result }: ReasonedBatch): ReasonSums => {
  let after = sums;
  if (retry && !counted.has(after.retried, slot)) {
    after = {
      ...after,
      retried: counted.with(after.retried, slot),
      refusedBy: [...addReasons(after.refusedBy, retry.refusedBy)],
    };
  }
  if (result && !counted.has(after.finished, slot)) {
    after = {
      ...after,
      finished: counted.with(after.finished, slot),
      refusedBy: [...addReasons(after.refusedBy, result.refusedBy)],
      warnedBy: [...addReasons(after.warnedBy, result.warnedBy)],
    };
  }
  return after;
};

/** The reasons of a job, from all its sums. */
export const reasonsOfJob = (
  all: readonly ReasonSums[],
): { readonly refusedBy: readonly Reason[]; readonly warnedBy: readonly Reason[] } => ({
  refusedBy: all.map(({ refusedBy }) => refusedBy).reduce<readonly Reason[]>(addReasons, []),
  warnedBy: all.map(({ warnedBy }) => warnedBy).reduce<readonly Reason[]>(addReasons, []),
});
