/** Likely identity: the column that most probably says whose record a row is, in a file without a known one. */
import { type FileColumn, quotedName } from './file-column.ts';
import { undivided } from './other-delimiter.ts';
import { shareOf } from './judge-values.ts';
import { looksLikeDate, looksLikeEmail, looksLikePhone } from './value-shapes.ts';

const ID_CHARACTERS = 64;

/** Says that no column is an identity, and which one looks like one, or that the file is not divided. A column that fills a field is no id. */
export const noIdentity = (columns: readonly FileColumn[], fills: (index: number) => boolean): string => {
  const named = columns.filter(({ name }) => name !== '');
  const addresses = named.find(({ values }) => shareOf(values, looksLikeEmail) >= 0.5);
  const id = named.find((column) => !fills(column.index) && looksLikeId(column));
  const one = undivided(columns);
  if (one !== undefined) return `No column says whose record a row is. ${one}`;
  const note = 'No column says whose record a row is. Map a column to unique_id, email or social_id.';
  if (addresses) return `${note} ${quotedName(addresses.name)} looks like e-mail addresses.`;
  return id ? `${note} ${quotedName(id.name)} has another value in each row, as an id has.` : note;
};

const looksLikeId = ({ values }: FileColumn): boolean =>
  values.length > 1 &&
  new Set(values).size === values.length &&
  values.every(
    (value) =>
      value.length <= ID_CHARACTERS &&
      /\d/.test(value) &&
      !/\s/.test(value.trim()) &&
      !looksLikeDate(value) &&
      !/^\+|[.,]\d+$/.test(value),
  ) &&
  shareOf(values, (value) => looksLikePhone(value) && value.startsWith('0')) < 1;
