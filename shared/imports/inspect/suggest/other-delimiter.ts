/** Other delimiter: a sign that the service does not read as a delimiter, in the cells of a file of one column. */
import { type Doubt, doubtAbout } from '../doubt.ts';
import type { FileColumn } from './file-column.ts';

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
export const undivided = (columns: readonly FileColumn[]): string | undefined => {
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
  return [doubtAbout(null, cells.filter(sign.isIn), { saw: sentence(sign), does })];
};

const remedy = 'Save the file with commas.';
