/** Rows of no person: sums, numbers of lines, and rows of many people under one address, in columns of identities. */
import { visibleText } from '../../../runtime/visible-text.ts';
import { doubtAbout } from '../doubt.ts';
import { nameKey } from './column-names.ts';
import type { FileColumn } from './file-column.ts';
import { addressIn, areNumbers, type IdentityFacts, type Together } from './identity-facts.ts';
import { leavesOut, type Listed } from './listed.ts';

/** Words with which lines of sums begin. */
const totals =
  /^(?:(?:grand|sub|column|row)[ -]?)?(totals?|sum|summe|zwischensumme|teilsumme|gesamt\p{L}*|endsumme|somme|suma|sumar|totale|totaal|totalt|celkem|spolu|razem|ukupno|yhteensä|összesen|toplam|σύνολο|итого|всего|合計|小計|総計|합계|총계)(?![\p{L}\p{N}])/iu;

/** The lines of sums in a column of ids that are numbers. */
export const totalsIn = ({ name, values }: FileColumn): readonly Listed[] => {
  if (!areNumbers(values)) return [];
  const seen = values.filter((value) => totals.test(visibleText(value)));
  if (seen.length === 0) return [];
  const saw = 'Lines of sums stand between the people, with a word in the place of an id.';
  return [{ values: seen, doubts: [doubtAbout(name, seen, { saw, does: leavesOut })] }];
};

/** Names of columns that number lines. */
const ofLines =
  /^(?:no|nr|num|number|numero|line|row|index|idx|pos|position|lfd|lfd nr|laufende nummer|zeile|ligne|fila|riga|rij|regel|lp|l p|por|poradi|c|rad|nr crt|crt|s no|sl no|sr no|sno|#|α α|순번|번호|番号)$/u;

/** The numbers of lines in a column that counts the rows from one and is called so. */
export const lineNumbersIn = ({ name, values }: FileColumn): readonly Listed[] => {
  const key = name.trim() === '#' ? '#' : nameKey(name);
  const counted = values.filter((value) => /^\d+$/.test(value.trim()));
  const isCount =
    counted.length > 1 && counted.every((value, index) => Number(value) === index + 1) && ofLines.test(key);
  if (!isCount) return [];
  const saw = 'The numbers count the rows from 1. In another file, they stand for other people.';
  const does =
    'Stores them as ids, because they were mapped so. Map an id of the people or their addresses instead.';
  return [{ values: [], doubts: [doubtAbout(name, counted, { saw, does })] }];
};

/** So many rows of one address are looked at. */
const FEWEST_ROWS = 3;
/** A column tells people apart if so large a share of its cells differ. */
const TELLING = 0.5;
/** Where so large a share of the rows has such addresses, the rows are those of orders or visits. */
const MOST_ROWS = 0.5;

interface FileRows {
  readonly columns: readonly FileColumn[];
  readonly rows: readonly (readonly string[])[];
  readonly facts: IdentityFacts;
}

/**
 * The addresses whose rows differ in every column that tells people apart, in a file without ids and names that are known:
 * an address that stands for none, or the orders of one person.
 */
export const sameAddressRows = (email: FileColumn, { columns, rows, facts }: FileRows): readonly Listed[] => {
  const isOpen = ({ names, rows: count }: Together): boolean => names.size === 0 && count >= FEWEST_ROWS;
  const open = new Set([...facts.byAddress].flatMap(([address, one]) => (isOpen(one) ? [address] : [])));
  if (open.size === 0) return [];
  const telling = columns.filter(
    ({ index, values }) =>
      index !== email.index &&
      values.length * 2 >= rows.length &&
      new Set(values).size >= TELLING * values.length,
  );
  const byAddress = Map.groupBy(rows, (cells) => addressIn(cells[email.index]));
  const seen = [...byAddress].flatMap(([address, own]) => {
    if (!open.has(address) || telling.length === 0) return [];
    const agree = telling.some(({ index }) => agrees(own.map((cells) => cells[index] ?? '')));
    return agree ? [] : own.map(() => address);
  });
  if (seen.length === 0 || seen.length > MOST_ROWS * rows.length) return [];
  const saw =
    'The rows of one address differ in all other columns: the address may stand for none, or the rows may be orders of one person.';
  const does = 'Makes one person of the rows of an address. If it is nobody’s, list it in `not_identities`.';
  return [{ values: [], doubts: [doubtAbout(email.name, seen, { saw, does })] }];
};

/** Whether two filled cells in three are the same. */
const agrees = (cells: readonly string[]): boolean => {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length < 2 || new Set(filled).size * 3 <= filled.length * 2;
};
