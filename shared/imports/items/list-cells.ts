/** List cells: counts the cells of list columns with separators at which they are not split, for a warning of the job. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';

const whole = v.pipe(v.number(), v.safeInteger());

/** The usual separators of values, by name. */
const separators = { pipe: '|', comma: ',', slash: '/', semicolon: ';' } as const;
type SeparatorName = keyof typeof separators;
const names: readonly SeparatorName[] = ['pipe', 'comma', 'slash', 'semicolon'];

const listCells = v.object({
  field: v.string(),
  column: v.string(),
  /** Cells with a value. */
  cells: whole,
  /** Cells of which a value contains the separator. */
  pipe: whole,
  comma: whole,
  slash: whole,
  semicolon: whole,
});

/** The cells of one list column. A definition has few such columns. */
export type ListCells = Readonly<v.InferOutput<typeof listCells>>;

/** Schema of the cells of all list columns. */
export const allListCells = v.array(listCells);

/** A list column without cells. */
export const noCells = { cells: 0, pipe: 0, comma: 0, slash: 0, semicolon: 0 } as const;

/** Adds the values of a cell to the cells of its column. A cell without a value does not count. */
export const withCell = (counted: ListCells, values: readonly string[]): ListCells => {
  if (values.length === 0) return counted;
  const next = { ...counted, cells: counted.cells + 1 };
  for (const name of names) if (values.some((value) => value.includes(separators[name]))) next[name] += 1;
  return next;
};

/** The sum of the cells of two groups of rows. */
export const sumListCells = (
  one: readonly ListCells[],
  other: readonly ListCells[],
): readonly ListCells[] => {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  return [...Map.groupBy([...one, ...other], ({ field }) => field).values()].flatMap(([first, ...rest]) =>
    first ? [rest.reduce(plus, first)] : [],
  );
};

const plus = (one: ListCells, other: ListCells): ListCells => ({
  ...one,
  cells: one.cells + other.cells,
  pipe: one.pipe + other.pipe,
  comma: one.comma + other.comma,
  slash: one.slash + other.slash,
  semicolon: one.semicolon + other.semicolon,
});

/** A list column that seems to be split at the wrong separator. */
export interface SuspiciousColumn {
  readonly field: string;
  readonly column: string;
  readonly separator: string;
  readonly cells: number;
  /** Percentage of the cells with the separator, rounded down. */
  readonly percent: number;
}

/** The list columns of which many cells contain another usual separator; of several separators, the most frequent. */
export const suspiciousColumns = (all: readonly ListCells[]): readonly SuspiciousColumn[] =>
  all.flatMap((counted) => {
    const { field, column, cells } = counted;
    const [name = 'pipe'] = names.toSorted((a, b) => counted[b] - counted[a]);
    const { suspiciousCells, suspiciousShare } = limits.imports;
    if (cells < suspiciousCells || counted[name] <= cells * suspiciousShare) return [];
    const percent = Math.floor((counted[name] / cells) * 100);
    return [{ field, column, separator: separators[name], cells, percent }];
  });
