/** The same slip in many cells, and what mends it. */
import type { Group } from './mend-facts.ts';
import { cellIn, type Edit, type Edits, type ReportedRow } from './report-rows.ts';

/** A text that another one replaces, and the cells that it changes. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly Edit[];
}

/** The cells of a group in which a text is replaced, at whichever places of the cell it stands. */
export const replaced = (group: Group, edits: Edits, from: string, to: string): readonly Edit[] =>
  from === ''
    ? []
    : group.rows.flatMap((row) =>
        group.columns.flatMap((at) => {
          const text = cellIn(edits, row, at);
          return text.includes(from) ? [{ row, at, text: text.replaceAll(from, to) }] : [];
        }),
      );

/** Rows of different people in one change. */
export const rowsIn = (changes: readonly Edit[]): number => new Set(changes.map(({ row }) => row.key)).size;

/** Slips in addresses, as people and programs make them. Spaces around go with them. */
const slips = [
  ['(at)', '@'],
  ['[at]', '@'],
  ['(a)', '@'],
  [' at ', '@'],
  ['@@', '@'],
  [',', '.'],
  [';', '.'],
  [' ', ''],
] as const;

const address = /^[^\s@,;()[\]<>"]+@[^\s@,;()[\]<>".]+(?:\.[^\s@,;()[\]<>".]+)+$/;

/** Whether an edited row still has no address where the service found none. An empty cell may be meant. */
export const isStillWrong = (row: ReportedRow, at: readonly number[], edits: Edits): boolean =>
  row.code === 'not_an_email' &&
  at.every((cell) => {
    const text = cellIn(edits, row, cell).trim();
    return text !== '' && !address.test(text);
  });

/** Rows in which a slip must be, so that one press is less work. */
const LEAST_ROWS = 2;

/** The slip that makes the most addresses of the cells that nobody has changed; `undefined` if none is in several rows. */
export const suggestedFor = (group: Group, edits: Edits): Replacement | undefined => {
  if (group.code !== 'not_an_email') return undefined;
  const rows = group.rows.filter(({ key }) => !edits.has(key));
  const offers = slips.map(([from, to]): Replacement => {
    const changes = replaced({ ...group, rows }, edits, from, to).map((edit) => ({
      ...edit,
      text: edit.text
        .split('@')
        .map((part) => part.trim())
        .join('@'),
    }));
    return { from, to, changes: changes.filter(({ text }) => address.test(text)) };
  });
  const [best] = offers.toSorted((one, other) => rowsIn(other.changes) - rowsIn(one.changes));
  return best !== undefined && rowsIn(best.changes) >= LEAST_ROWS ? best : undefined;
};
