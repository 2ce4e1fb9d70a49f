/** Rounded numbers: ids of which a spreadsheet has kept some digits, so that different people may have the same one. */
import { placeholderKind } from '../../../profiles/placeholder-identities.ts';
import { visibleText } from '../../../runtime/visible-text.ts';

/** Digits that spreadsheets keep of a number. */
const KEPT = 15;
const long = /^\d{16,40}$/;
const zeroed = /^\d{15}0+$/;

/** Zeros behind the digits that spreadsheets keep, so many that chance does not write them. */
const ZEROS = 3;

/**
 * The values that a spreadsheet has rounded: numbers in scientific form, and numbers whose digits from the sixteenth on are
 * zeros. One such number may be somebody's, so all long numbers of a column must be of this kind.
 */
export const roundedIn = (values: readonly string[]): readonly string[] => {
  const texts = values.map(visibleText);
  const numbers = new Set(texts.filter((text) => long.test(text)));
  const zeros = [...numbers].reduce((sum, { length }) => sum + length - KEPT, 0);
  const isCut = zeros >= ZEROS && [...numbers].every((text) => zeroed.test(text));
  return texts.filter(
    (value) => placeholderKind({ kind: 'unique_id', value }) === 'rounded' || (isCut && numbers.has(value)),
  );
};
