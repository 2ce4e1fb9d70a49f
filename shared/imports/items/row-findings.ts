/**
 * Row findings: what the rows of a batch and of a job have in common, as counts. Reasons count why rows were refused or
 * warned, by field, column and code. List cells count the cells of list columns with separators at which they are not split.
 */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';

const whole = v.pipe(v.number(), v.safeInteger());

/**
 * One reason, and how many rows it concerns. `examples` are lines of the file with such a row, and `message` are the words of
 * one of them. Counts may be negative in a difference between two lists of reasons.
 */
const reason = v.object({
  field: v.nullable(v.string()),
  column: v.nullable(v.string()),
  code: v.string(),
  rows: whole,
  message: v.nullable(v.string()),
  examples: v.array(v.object({ line: whole, count: whole })),
});
export type Reason = Readonly<v.InferOutput<typeof reason>>;

/** Schema of a stored list of reasons. */
export const reasonList = v.array(reason);

/** The part of a reported row that its reason consists of. */
export interface ReasonedRow {
  readonly field: string | null;
  readonly column: string | null;
  readonly code: string;
  readonly line: number | null;
  /** The reason in words, without the text of the cell. */
  readonly message: string;
}

/** Most reasons of a list. The rows of all others have the reason `other`, so that clients cannot make a list grow. */
const MOST_REASONS = 100;

/** Longest message of a reason. A row with many faults has a long one. */
const MESSAGE_CHARACTERS = 200;

/** Most examples of a reason: those with the smallest lines. */
const MOST_EXAMPLES = 12;

/** The reasons of the rows of one report, each with its first line as the example. */
export const reasonsOf = (rows: readonly ReasonedRow[]): readonly Reason[] => {
  const groups = Map.groupBy(rows.map(toReason), nameOf);
  const reasons = [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const lines = [first, ...others].flatMap(({ examples }) => examples.map(({ line }) => line));
    const examples = lines.length === 0 ? [] : [{ line: lines.reduce((a, b) => Math.min(a, b)), count: 1 }];
    return [{ ...first, rows: others.length + 1, examples }];
  });
  return bounded(reasons);
};

/** The sum of two lists. */
export const addReasons = (one: readonly Reason[], other: readonly Reason[]): readonly Reason[] =>
  other.length === 0 ? one : bounded(sum(one, other));

/** The list that, added to `before`, makes `after`. */
export const reasonsBetween = (before: readonly Reason[], after: readonly Reason[]): readonly Reason[] =>
  sum(before.map(negative), after);

/** A reason as the API shows it. */
export interface ShownReason {
  readonly field: string | null;
  readonly column: string | null;
  readonly code: string;
  readonly count: number;
  readonly example_line: number | null;
  readonly example_message: string | null;
}

/** The `most` reasons with the most rows, the largest first. */
export const shownReasons = (reasons: readonly Reason[], most: number): readonly ShownReason[] =>
  reasons
    .filter(({ rows }) => rows > 0)
    .toSorted((a, b) => b.rows - a.rows || (nameOf(a) < nameOf(b) ? -1 : 1))
    .slice(0, most)
    .map(({ field, column, code, rows, message, examples }) => {
      const example = examples.find(({ count }) => count > 0);
      return {
        ...{ field, column, code, count: rows },
        ...{ example_line: example?.line ?? null, example_message: message },
      };
    });

const toReason = ({ field, column, code, line, message }: ReasonedRow): Reason => ({
  field: field && withoutPositions(field),
  column,
  code,
  rows: 1,
  message: shortened(message),
  examples: line === null ? [] : [{ line, count: 1 }],
});

const shortened = (message: string): string =>
  message.length <= MESSAGE_CHARACTERS ? message : `${message.slice(0, MESSAGE_CHARACTERS).toWellFormed()}…`;

/** `tags.0.tag.3` is `tags`: the positions in a list are no reasons of their own. */
const withoutPositions = (field: string): string => field.replace(/\.\d+(?=\.|$).*$/s, '').slice(0, 255);

const nameOf = ({ field, column, code }: Pick<Reason, 'field' | 'column' | 'code'>): string =>
  JSON.stringify([code, field, column]);

const negative = (given: Reason): Reason => ({
  ...given,
  rows: -given.rows,
  examples: given.examples.map(({ line, count }) => ({ line, count: -count })),
});

const sum = (one: readonly Reason[], other: readonly Reason[]): readonly Reason[] =>
  [...Map.groupBy([...one, ...other], nameOf).values()]
    .flatMap(([first, ...others]) => (first ? [others.reduce(plus, first)] : []))
    .filter(({ rows, examples }) => rows !== 0 || examples.length > 0);

const firstLineOf = ({ examples }: Reason): number => examples[0]?.line ?? Number.MAX_SAFE_INTEGER;

/** The sum of two reasons of one name. */
const plus = (one: Reason, other: Reason): Reason => {
  const lines = new Map(one.examples.map(({ line, count }) => [line, count]));
  for (const { line, count } of other.examples) lines.set(line, (lines.get(line) ?? 0) + count);
  // The words of the first line: rows of one reason have different words, and they stand beside this line.
  const [first, second] = firstLineOf(other) < firstLineOf(one) ? [other, one] : [one, other];
  return {
    ...one,
    rows: one.rows + other.rows,
    message: first.message ?? second.message,
    examples: [...lines]
      .filter(([, count]) => count !== 0)
      .map(([line, count]) => ({ line, count }))
      .toSorted((a, b) => a.line - b.line)
      .slice(0, MOST_EXAMPLES),
  };
};

const OTHER = { field: null, column: null, code: 'other', message: null } as const;

const bounded = (reasons: readonly Reason[]): readonly Reason[] => {
  if (reasons.length <= MOST_REASONS) return reasons;
  const sorted = reasons.toSorted((a, b) => Math.abs(b.rows) - Math.abs(a.rows));
  const rest = sorted.slice(MOST_REASONS - 1).map((each) => ({ ...each, ...OTHER }));
  return sum(sorted.slice(0, MOST_REASONS - 1), rest);
};

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
    first ? [rest.reduce(plusCells, first)] : [],
  );
};

const plusCells = (one: ListCells, other: ListCells): ListCells => {
  const both = { ...one, cells: one.cells + other.cells };
  for (const name of names) both[name] += other[name];
  return both;
};

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
