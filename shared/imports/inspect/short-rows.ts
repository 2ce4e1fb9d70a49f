/** Short rows: rows with fewer cells than the header, as of editors that leave out empty cells. */
import { isBlank } from '../../csv/no-row.ts';
import { type Doubt, doubtAbout } from './doubt.ts';
import type { SampleRow } from './read-sample.ts';
import { formsOf, slidCell } from './slid-rows.ts';

/**
 * The doubt about rows with fewer cells than the header. `whole` are the other rows, which tell where the cells belong. Such
 * a row is well if its last cells are missing. Only its values can tell, or whole rows that have no values there either.
 */
export const shortRows = (
  header: readonly string[],
  whole: readonly (readonly string[])[],
  short: readonly SampleRow[],
  shown: (row: SampleRow) => string,
): readonly Doubt[] => {
  const filled = whole.map((cells) => cells.findLastIndex((cell) => !isBlank(cell)) + 1);
  const columns = filled.length === 0 ? header.length : Math.max(...filled);
  const forms = formsOf(header, whole);
  const isSlid = ({ cells }: SampleRow): boolean => slidCell(cells, forms, [-1, -2]) !== undefined;
  const slid = short.filter(isSlid);
  const others = short.filter((row) => !slid.includes(row) && row.width < columns);
  if (slid.length + others.length === 0) return [];
  const saw =
    slid.length === 0
      ? 'Rows have fewer cells than the header.'
      : `Rows have fewer cells than the header, and cells of ${slid.length} of them stand too far to the left, as where empty cells were left out.`;
  const does =
    'Takes the missing cells as empty cells at the end of the row. Where an empty cell before them was left out, values are stored in wrong columns: add its delimiter.';
  return [doubtAbout(null, [...slid, ...others].map(shown), { saw, does })];
};
