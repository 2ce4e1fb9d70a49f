/** Place columns: decides which column of a file fills which field. */
import { limits } from '../../../config/limits.ts';
import { attributeNamed, parseTarget } from '../../mapping/field-targets.ts';
import type { FileColumn } from './file-column.ts';
import { type Candidate, candidatesByName, strengths, withConsent } from './judge-names.ts';
import { columnTargets } from './match-columns.ts';

/** What a suggestion does with a column: fills a field, keeps it as extra data, or leaves it out. */
export const columnKinds = ['mapped', 'kept', 'empty', 'left_out'] as const;
export type ColumnKind = (typeof columnKinds)[number];

/** What becomes of one column, and why. */
export interface Place {
  readonly kind: ColumnKind;
  /** The field that the column fills; `null` for a column that is left out. */
  readonly target: string | null;
  readonly why: readonly string[];
}

/** What the request says about columns. */
export interface Demands {
  /** The columns that a definition maps to social tokens. */
  readonly tokens: ReadonlySet<string>;
  /** The field of a column; `null` leaves the column out. */
  readonly targets: ReadonlyMap<string, string | null>;
}

/** The place of each column. Each field is filled once, by the column of which it is surest, then by the fullest. */
export const placeColumns = (columns: readonly FileColumn[], demands: Demands): readonly Place[] => {
  const named = columnTargets(columns.map(({ name }) => name));
  const candidates = withConsent(
    columns.map(
      (column) => demanded(column, demands) ?? candidatesByName(column, named[column.index] ?? null),
    ),
  );
  const chosen = choose(columns, candidates);
  const taken = new Set([...chosen.values()].map(({ target }) => attributeNamed(target)));
  return columns.map((column) => {
    const candidate = chosen.get(column.index);
    if (candidate) return placeAt(candidate);
    if (!column.isRepeated && demands.targets.get(column.name) === null)
      return { kind: 'left_out', target: null, why: ['The request leaves it out.'] };
    if (demands.tokens.has(column.name)) return { kind: 'left_out', target: null, why: [tokenColumn] };
    return otherPlace(column, taken);
  });
};

const tokenColumn = 'A definition maps social tokens from it.';

/** The only candidates of a column about which the request or a definition has decided. */
const demanded = (
  { name, isRepeated }: FileColumn,
  { tokens, targets }: Demands,
): readonly Candidate[] | undefined => {
  if (isRepeated) return [];
  const { demanded: strength } = strengths;
  const target = targets.get(name);
  if (target !== undefined)
    return target === null ? [] : [{ target, strength, why: 'The request names this field.' }];
  return tokens.has(name) ? [{ target: 'social_token', strength, why: tokenColumn }] : undefined;
};

/** The candidate of each column that gets one: the surest candidates first, then those of the fullest columns. */
const choose = (
  columns: readonly FileColumn[],
  candidates: readonly (readonly Candidate[])[],
): ReadonlyMap<number, Candidate> => {
  const all = columns.flatMap((column) =>
    (candidates[column.index] ?? []).map((candidate) => ({ column, candidate })),
  );
  const ranked = all.toSorted(
    (a, b) =>
      b.candidate.strength - a.candidate.strength ||
      b.column.values.length - a.column.values.length ||
      a.column.index - b.column.index,
  );
  const chosen = new Map<number, Candidate>();
  const filled = new Set<string>();
  for (const { column, candidate } of ranked) {
    const attribute = attributeNamed(candidate.target);
    if (chosen.has(column.index) || filled.has(attribute)) continue;
    chosen.set(column.index, candidate);
    filled.add(attribute);
  }
  return chosen;
};

const placeAt = ({ target, why }: Candidate): Place => ({
  kind: parseTarget(target)?.kind === 'extra' ? 'kept' : 'mapped',
  target,
  why: [why],
});

const leftOut = (why: string): Place => ({ kind: 'left_out', target: null, why: [why] });

/** The place of a column that fills no field. `taken` are the fields that other columns fill. */
const otherPlace = ({ name, isRepeated }: FileColumn, taken: ReadonlySet<string>): Place => {
  if (name === '') return leftOut('The column has no name.');
  if (isRepeated) return leftOut('Several columns have this name. Give each column a name of its own.');
  if (name.length > limits.imports.nameLength) return leftOut('The name of the column is too long.');
  const target = `extra_data.${name}`;
  if (!parseTarget(target)) return leftOut('No field can have this name.');
  if (taken.has(target)) return leftOut(`Another column fills ${target}.`);
  return { kind: 'kept', target, why: ['No field has this name, so the values go into extra data.'] };
};
