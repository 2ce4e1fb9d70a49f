/** Row budget: how much text the row of one profile may have in an export file. */
import { limits } from '../../config/limits.ts';
import { workBudget } from '../../runtime/work-budget.ts';

/** A format makes too large a row of a profile. The job fails for it, with a code of its own. */
export class RowTooLargeError extends Error {
  override readonly name = 'RowTooLargeError';
}

/** Counts the texts of one row, and returns each of them; throws `RowTooLargeError` once they are too many. */
export const rowBudget = (): ((text: string) => string) => {
  const work = workBudget(limits.work.exportRow);
  return (text) => {
    if (!work.take(text.length)) throw new RowTooLargeError('exports: a row is too large');
    return text;
  };
};
