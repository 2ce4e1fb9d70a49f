/** Finds the column of a file that may say whose record a row is. */
import { quoted } from '../terminal/text.ts';

/** An address. Signs that delimit the cells of some files are none of its own. */
const address = /^[^\s@^~¦]+@[^\s@.^~¦]+(?:\.[^\s@.^~¦]+)+$/;
const id = /^(?=\D*\d)[\p{L}\d_.-]{2,64}$/u;

/** Lines that one screen has room for. */
const SHOWN = 3;

/**
 * Options that give a row an identity, each with its reason: for a column of e-mail addresses, or else for columns whose
 * values look like ids and differ in all rows. A column that fills a field, such as a birthday, is no id.
 */
export const identityAdvice = (
  header: readonly string[],
  sample: readonly (readonly string[])[],
  fills: (column: string) => boolean = () => false,
): readonly string[] => {
  const columns = header.map((name, index) => ({
    name,
    cells: sample.map((cells) => (cells[index] ?? '').trim()).filter((cell) => cell !== ''),
  }));
  const addresses = columns.filter(
    ({ cells }) =>
      cells.length > 0 && cells.filter((cell) => address.test(cell)).length * 10 >= cells.length * 9,
  );
  const ids = columns.filter(
    ({ name, cells }) =>
      !fills(name) &&
      cells.length > 1 &&
      cells.length === sample.length &&
      new Set(cells).size === cells.length &&
      cells.every((cell) => id.test(cell)),
  );
  return [
    ...addresses.map(({ name }) => `"${name}" looks like e-mail addresses: ${mapOption(name, 'email')}`),
    ...(addresses.length > 0
      ? []
      : ids.map(
          ({ name }) => `"${name}" differs in every row, as an id does: ${mapOption(name, 'unique_id')}`,
        )),
  ].slice(0, SHOWN);
};

const mapOption = (column: string, field: string): string => `--map ${quoted(`${column}=${field}`)}`;

/** What the service suggests for the columns of a file, and its remarks. */
interface Suggested {
  readonly columns: readonly { readonly why: readonly string[] }[];
  readonly notes: readonly string[];
}

/** The remarks that say why the service takes no column as an identity, although columns look like one. */
export const reasonsAgainst = ({ columns, notes }: Suggested): readonly string[] =>
  notes.filter((note) => columns.some(({ why }) => why.includes(note)));
