/** Other delimiter: a sign that the service does not read as a delimiter, in the cells of a file of one column. */
import { type Doubt, doubtAbout } from './doubt.ts';

/** The share of cells that must have the sign. */
const MOST = 0.8;

/** Signs that hardly stand in a text, with their names in sentences. Runs of spaces fill columns of fixed width. */
const signs: readonly { readonly name: string; readonly isIn: (text: string) => boolean }[] = [
  ...['^', '~', '¦', '§'].map((sign) => ({ name: `"${sign}"`, isIn: (text: string) => text.includes(sign) })),
  { name: 'a control character', isIn: (text) => /[\u0001-\u0008\u000e-\u001f]/u.test(text) },
  { name: 'runs of spaces', isIn: (text) => /\S {2,}\S/u.test(text.trim()) },
];

/** The doubt about a file of one column whose header and cells have such a sign. */
export const otherDelimiter = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly Doubt[] => {
  const [name = '', ...others] = header;
  const cells = rows.flatMap(([cell]) => cell ?? []);
  if (others.length > 0 || cells.length === 0) return [];
  const hasSign = ({ isIn }: (typeof signs)[number]): boolean =>
    isIn(name) && cells.filter(isIn).length >= MOST * cells.length;
  const sign = signs.find(hasSign);
  if (!sign) return [];
  const saw = `The file has one column, and its header and cells contain ${sign.name}, which may delimit them.`;
  const does =
    'Reads each line as one cell, because the service reads files delimited by commas, semicolons, tabs and pipes. Save the file with commas.';
  return [doubtAbout(null, cells.filter(sign.isIn), { saw, does })];
};
