/** Shifted header: a header that lacks a name, or has one too many, so that names stand over the values of other columns. */
import type { SampleRow } from '../read-sample.ts';
import { columnTargets } from './match-columns.ts';
import { quotedName } from './file-column.ts';
import { misfit, shareOf } from './judge-values.ts';
import { qualifiedTarget } from './qualified-names.ts';
import { looksLikeDate, looksLikeEmail, looksLikePhone } from './value-shapes.ts';

/** A header that does not fit its rows, with the rows that show it and the sentences of a doubt. */
export interface ShiftedHeader {
  readonly rows: readonly SampleRow[];
  readonly saw: string;
  readonly does: string;
  /** Why no column is taken as an identity. */
  readonly why: string;
}

/** What values look like that stand in no other column by chance. */
const telling: Readonly<Partial<Record<string, (value: string) => boolean>>> = {
  email: looksLikeEmail,
  phone_number: looksLikePhone,
  birthday: looksLikeDate,
  zipcode: (value) => /^[\dA-Z -]{4,10}$/u.test(value.trim()) && /\d/u.test(value),
};

/** The share of rows that must be wider or narrower than the header. */
const MOST_ROWS = 0.5;
/** The share of values that must fit a name, in its own column and in the one beside it. */
const OWN = 0.5;
const BESIDE = 0.8;

/** The number of columns up to the last one with a name. */
export const columnsNamed = (header: readonly string[]): number =>
  header.findLastIndex((name) => name.trim() !== '') + 1;

/**
 * Finds out whether names stand over the values of the columns beside them. Most rows have another number of cells than the
 * header has names, which blank cells at the end of the rows explain as well. So values must tell: from one column on, all
 * columns whose values have a form have it in the next column only. A column beside the one of dates may have dates of its
 * own, unless its name means something else.
 */
export const shiftedHeader = (
  header: readonly string[],
  rows: readonly SampleRow[],
): ShiftedHeader | undefined => {
  const columns = columnsNamed(header);
  const people = rows.filter(({ width }) => width > 0);
  const wider = people.filter(({ width }) => width > columns);
  const narrower = people.filter(({ width }) => width < columns);
  return shiftBy(1, header, wider, people.length) ?? shiftBy(-1, header, narrower, people.length);
};

const shiftBy = (
  step: 1 | -1,
  header: readonly string[],
  rows: readonly SampleRow[],
  people: number,
): ShiftedHeader | undefined => {
  if (rows.length === 0 || rows.length < MOST_ROWS * people) return undefined;
  const valuesAt = (column: number): readonly string[] =>
    rows.map(({ cells }) => cells[column] ?? '').filter((cell) => cell.trim() !== '');
  const targets = columnTargets(header).map((known, column) => known?.target ?? qualifiedOf(header[column]));
  const formOf = (column: number) => telling[targets[column] ?? ''];
  const isOwn = (column: number): boolean => {
    const fits = formOf(column);
    return fits !== undefined && shareOf(valuesAt(column), fits) >= OWN;
  };
  const misfits = (column: number): boolean => {
    const [name = '', target = ''] = [header[column], targets[column]];
    return misfit({ name, values: valuesAt(column) }, target) !== undefined;
  };
  const verdicts = targets.flatMap((target, column) => {
    const fits = formOf(column);
    if (!fits) return [];
    if (isOwn(column)) return [{ column, isShifted: false, isProof: false }];
    // An empty column says nothing. But no column beside it has addresses for another reason, where rows are narrow.
    if (valuesAt(column).length === 0 && (step === 1 || target !== 'email')) return [];
    const beside = column + step;
    const isShifted = shareOf(valuesAt(beside), fits) >= BESIDE && !isOwn(beside);
    return isShifted ? [{ column, isShifted, isProof: target === 'email' || misfits(beside) }] : [];
  });
  const first = verdicts.findIndex(({ isShifted }) => isShifted);
  const shifted = verdicts[first];
  if (!shifted || verdicts.slice(first).some(({ isShifted }) => !isShifted)) return undefined;
  if (!verdicts.some(({ isProof }) => isProof)) return undefined;
  return { rows, ...sentences(step, quotedName(header[shifted.column] ?? '')) };
};

const qualifiedOf = (name = ''): string | undefined => qualifiedTarget(name)?.target;

const sentences = (step: 1 | -1, name: string): Omit<ShiftedHeader, 'rows'> => {
  const does = (remedy: string): string =>
    `Takes no column as an identity, so that nobody gets the values of other columns. ${remedy}, and inspect the file again.`;
  return step === 1
    ? {
        saw: `The header lacks the name of a column: rows have more cells than it has names, and the values of ${name} stand one cell further to the right.`,
        does: does('Add the missing name to the header'),
        why: 'The header lacks the name of a column, so no column is taken as an identity.',
      }
    : {
        saw: `The header has a name too many: rows have fewer cells than it has names, and the values of ${name} stand one cell further to the left.`,
        does: does('Remove the name from the header'),
        why: 'The header has a name too many, so no column is taken as an identity.',
      };
};
