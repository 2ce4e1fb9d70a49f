/** Place columns: decides which column of a file fills which field. */
import { limits } from '../../../config/limits.ts';
import { attributeNamed, parseTarget } from '../../mapping/field-targets.ts';
import { textInQuotes } from '../../mapping/read-marks.ts';
import { type FileColumn, quotedName } from './file-column.ts';
import {
  type Candidate,
  judgeName,
  type JudgedColumn,
  type Judgement,
  nothing,
  strengths,
  withConsent,
  judgeUnnamed,
} from './judge-names.ts';
import { optOutOf } from './opt-outs.ts';
import { oneAddress } from './one-address.ts';
import { qualifiedTarget } from './qualified-names.ts';
import { firstOf } from '../../../runtime/shortened.ts';

/** What a suggestion does with a column: fills a field, keeps it as extra data, or leaves it out. */
export const columnKinds = ['mapped', 'kept', 'empty', 'left_out'] as const;
export type ColumnKind = (typeof columnKinds)[number];

/** What becomes of one column, and why. */
export interface Place {
  readonly kind: ColumnKind;
  /** The field that the column fills; `null` for a column that is left out. */
  readonly target: string | null;
  readonly why: readonly string[];
  /** Whether only the withdrawals of the column count, because another column says who has given consent. */
  readonly withdrawsOnly?: boolean;
}

/** A column with what becomes of it. */
export interface PlacedColumn extends FileColumn, Place {}

/** What the request says about columns. */
export interface Demands {
  /** The columns that a definition maps to social tokens. */
  readonly tokens: ReadonlySet<string>;
  /** The field of a column; `null` leaves the column out. */
  readonly targets: ReadonlyMap<string, string | null>;
}

/** The columns and rows of a sample. */
export interface KnownColumns {
  readonly columns: readonly FileColumn[];
  /** Without a row, columns count as filled. */
  readonly rows: readonly (readonly string[])[];
  /** The present year. */
  readonly year: number;
}

/** A field that a column cannot fill, although its name means it: its values are something else. */
export interface Unfit {
  /** The position of the column. */
  readonly index: number;
  readonly target: string;
  readonly why: string;
}

/** The columns with their places. Each field is filled once, by the column of which it is surest, then by the fullest. */
export const placeColumns = (
  { columns, rows, year }: KnownColumns,
  demands: Demands,
  unfit: readonly Unfit[] = [],
): readonly PlacedColumn[] => {
  const isEmpty = ({ values }: FileColumn): boolean => rows.length > 0 && values.length === 0;
  const judge = (column: FileColumn): Judgement => {
    const decided = demanded(column, demands);
    if (decided) return decided;
    if (isEmpty(column) || !canBeMapped(column)) return nothing;
    const byName = judgeName(column);
    const judgement = byName.candidates.length > 0 ? byName : joined(byName, judgeUnnamed(column, year));
    const own = unfit.filter(({ index }) => index === column.index);
    return withoutUnfit(judgement, own);
  };
  const judged = withConsent(oneAddress(columns.map((column) => ({ ...column, ...judge(column) }))));
  const chosen = choose(judged);
  const fillers = new Map([...chosen].map(([{ name }, { target }]) => [attributeNamed(target), name]));
  const placeOf = (column: JudgedColumn): Place => {
    const candidate = chosen.get(column);
    if (candidate) return placeAt(candidate, othersOf(candidate, column, judged, chosen));
    if (demands.targets.get(column.name) === null) return leftOut('The request leaves it out.');
    if (demands.tokens.has(column.name)) return leftOut(tokenColumn);
    const reasons = [...column.against, ...lostTo(column, fillers)];
    return otherPlace(column, { fillers, reasons, isEmpty: isEmpty(column) });
  };
  return judged.map((column) => ({ ...column, ...placeOf(column) }));
};

/** Whether a field map can name the column. */
const canBeMapped = ({ name, isSurplus }: FileColumn): boolean =>
  name !== '' && name.length <= limits.imports.nameLength && !isSurplus;

const tokenColumn = 'A definition maps social tokens from it.';

const joined = (one: Judgement, other: Judgement): Judgement => ({
  candidates: [...one.candidates, ...other.candidates],
  against: other.candidates.length > 0 ? [] : [...one.against, ...other.against],
});

/** A judgement without the fields that do not fit, for the reasons of which it fills none of them. */
const withoutUnfit = (judgement: Judgement, unfit: readonly Unfit[]): Judgement =>
  unfit.length === 0
    ? judgement
    : {
        candidates: judgement.candidates.filter(({ target }) =>
          unfit.every((each) => each.target !== target),
        ),
        against: [
          ...judgement.against,
          ...unfit.flatMap(({ target, why }) =>
            judgement.candidates.some((candidate) => candidate.target === target) ? [why] : [],
          ),
        ],
      };

/** The only candidates of a column about which the request or a definition has decided. */
const demanded = (column: FileColumn, { tokens, targets }: Demands): Judgement | undefined => {
  if (!canBeMapped(column)) return nothing;
  const { name } = column;
  const { demanded: strength } = strengths;
  const target = targets.get(name);
  if (target === null) return nothing;
  if (target !== undefined) {
    const group = qualifiedTarget(name)?.group;
    const why = 'The request names this field.';
    return { candidates: [{ target, strength, why, ...(group !== undefined && { group }) }], against: [] };
  }
  return tokens.has(name)
    ? { candidates: [{ target: 'social_token', strength, why: tokenColumn }], against: [] }
    : undefined;
};

/** A candidate that a column gets. */
interface Chosen extends Candidate {
  readonly withdrawsOnly?: boolean;
}

/**
 * The candidate of each column that gets one: the surest candidates first, then those of the fullest columns. Of several
 * columns about one consent, one gives it, and each withdraws it.
 */
const choose = (columns: readonly JudgedColumn[]): ReadonlyMap<JudgedColumn, Chosen> => {
  const all = columns.flatMap((column) => column.candidates.map((candidate) => ({ column, candidate })));
  const ranked = all.toSorted(
    (a, b) =>
      b.candidate.strength - a.candidate.strength ||
      b.column.values.length - a.column.values.length ||
      a.column.index - b.column.index,
  );
  const chosen = new Map<JudgedColumn, Chosen>();
  const filled = new Set<string>();
  for (const { column, candidate } of ranked) {
    const attribute = attributeNamed(candidate.target);
    const isConsent = parseTarget(candidate.target)?.kind === 'consent';
    const isFilled = filled.has(attribute);
    if (chosen.has(column) || (isFilled && !isConsent)) continue;
    const isOptOut = isConsent && optOutOf(column.name) !== undefined;
    chosen.set(column, { ...candidate, ...(isFilled && !isOptOut && { withdrawsOnly: true }) });
    if (!isOptOut) filled.add(attribute);
  }
  return chosen;
};

/** Longest list of columns in a reason. */
const MOST_NAMES = 3;

/** Says which other columns could fill the field of a column. */
const othersOf = (
  { target }: Candidate,
  own: JudgedColumn,
  columns: readonly JudgedColumn[],
  chosen: ReadonlyMap<JudgedColumn, Chosen>,
): readonly string[] => {
  const attribute = attributeNamed(target);
  const others = columns.filter(
    (column) =>
      column !== own &&
      chosen.get(column)?.target !== target &&
      column.candidates.some((other) => attributeNamed(other.target) === attribute),
  );
  if (others.length === 0) return [];
  const names = firstOf(others, MOST_NAMES, ({ name }) => quotedName(name));
  return [`Not taken for ${target}: ${names}.`];
};

/** Says which columns fill the fields that a column could fill. */
const lostTo = ({ candidates }: Judgement, fillers: Fillers): readonly string[] =>
  candidates.map(({ target, why }) => {
    const name = fillers.get(attributeNamed(target)) ?? '';
    return `${why} ${quotedName(name)} fills ${target}.`;
  });

const placeAt = ({ target, why, withdrawsOnly }: Chosen, others: readonly string[]): Place => ({
  kind: parseTarget(target)?.kind === 'extra' ? 'kept' : 'mapped',
  target,
  why: [why, ...others],
  ...(withdrawsOnly === true && { withdrawsOnly }),
});

const leftOut = (why: string): Place => ({ kind: 'left_out', target: null, why: [why] });

/** The name of the column that fills each attribute. */
type Fillers = ReadonlyMap<string, string>;

interface Other {
  readonly fillers: Fillers;
  /** Why the column fills no field. */
  readonly reasons: readonly string[];
  readonly isEmpty: boolean;
}

/** The place of a column that fills no field. */
const otherPlace = ({ name, isSurplus }: FileColumn, { fillers, reasons, isEmpty }: Other): Place => {
  if (name === '') return leftOut('The column has no name.');
  if (isEmpty) return { kind: 'empty', target: null, why: ['No cell of the first rows has a value.'] };
  if (isSurplus) return leftOut('Another column of this name is taken. Give each column a name of its own.');
  if (name.length > limits.imports.nameLength) return leftOut('The name of the column is too long.');
  const target = `extra_data.${textInQuotes(name) ?? name}`;
  if (!parseTarget(target)) return leftOut('No field can have this name.');
  if (fillers.has(target)) return leftOut(`Another column fills ${target}.`);
  const why =
    reasons.length > 0
      ? [...reasons, 'The values go into extra data.']
      : ['No field has this name, so the values go into extra data.'];
  return { kind: 'kept', target, why };
};
