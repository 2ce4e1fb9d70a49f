/**
 * Likely identity: the column that most probably says whose record a row is, in a file without a known one, and a sign that
 * may delimit the cells of a file of one column.
 */
import { type FileColumn, quotedName } from './file-column.ts';
import { shareOf } from './judge-values.ts';
import type { PlacedColumn } from './place-columns.ts';
import { looksLikeDate, looksLikeEmail, looksLikePhone } from './value-shapes.ts';
import { type Doubt, doubtsAbout } from '../doubt.ts';

const ID_CHARACTERS = 64;

/** Says that no column is an identity, and which one looks like one, or that the file is not divided. A column that fills a field is no id. */
export const noIdentity = (columns: readonly PlacedColumn[]): string => {
  const named = columns.filter(({ name }) => name !== '');
  const addresses = named.find(({ values }) => shareOf(values, looksLikeEmail) >= 0.5);
  const id = named.find((column) => column.kind !== 'mapped' && looksLikeId(column));
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

/** The share of cells that must have the sign. */
const MOST = 0.8;

/** Signs that hardly stand in a text, with their names in sentences. Runs of spaces fill columns of fixed width. */
const signs: readonly { readonly name: string; readonly isIn: (text: string) => boolean }[] = [
  ...['^', '~', '¦', '§'].map((sign) => ({ name: `"${sign}"`, isIn: (text: string) => text.includes(sign) })),
  { name: 'a control character', isIn: (text) => /[\u0001-\u0008\u000e-\u001f]/u.test(text) },
  { name: 'runs of spaces', isIn: (text) => /\S {2,}\S/u.test(text.trim()) },
];

/** The sign in a header of one name and in the cells below it; `undefined` for none. */
const signIn = (name: string, cells: readonly string[]): (typeof signs)[number] | undefined =>
  cells.length === 0
    ? undefined
    : signs.find(({ isIn }) => isIn(name) && cells.filter(isIn).length >= MOST * cells.length);

const sentence = ({ name }: (typeof signs)[number]): string =>
  `The file has one column, and its header and cells contain ${name}, which may delimit them.`;

/** Says that a file of one column may have more, and what to do; `undefined` for a file without such a sign. */
const undivided = (columns: readonly FileColumn[]): string | undefined => {
  const [column, ...others] = columns;
  const sign = column && others.length === 0 ? signIn(column.name, column.values) : undefined;
  return sign && `${sentence(sign)} ${remedy}`;
};

/** The doubt about a file of one column whose header and cells have such a sign. */
export const otherDelimiter = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly Doubt[] => {
  const [name = '', ...others] = header;
  const cells = rows.flatMap(([cell]) => cell ?? []);
  const sign = others.length === 0 ? signIn(name, cells) : undefined;
  if (!sign) return [];
  const does = `Reads each line as one cell, because it reads files delimited by commas, semicolons, tabs and pipes. ${remedy}`;
  return doubtsAbout(null, cells.filter(sign.isIn), { saw: sentence(sign), does });
};

const remedy = 'Save the file with commas.';
