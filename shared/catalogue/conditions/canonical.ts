/** Canonical form: conditions that mean the same by their text are one condition. */
import { foldText } from './read-value.ts';
import { fieldOf } from './fields.ts';
import type { Where } from './shape.ts';

/**
 * The canonical form of a condition. It is the same for texts that differ in case, blanks and composition, for the name of
 * a tag as it is shown, and for the values of `in` in any order, also where some are repeated.
 */
export const canonicalOf = (where: Where): string =>
  JSON.stringify([fieldOf(where.field).key, where.op, valueOf(where)]);

const valueOf = (where: Where): unknown => {
  if (where.op === 'exists') return null;
  if (where.op === 'in') return [...new Set(where.value.map(folded))].sort(ascending);
  return typeof where.value === 'object' ? where.value : folded(where.value);
};

const folded = (value: string | number): string | number =>
  typeof value === 'string' ? foldText(value) : value;

const ascending = (one: string | number, other: string | number): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};
