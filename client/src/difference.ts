/** Compares what a definition should be with what it is. */

import { isRecord } from './json.ts';

/** A difference: where it is, the present value and the wanted value. `undefined` is a missing value. */
export interface Difference {
  /** Names and positions, outermost first. */
  readonly path: readonly (string | number)[];
  readonly is: unknown;
  readonly wanted: unknown;
}

/**
 * The differences between two JSON values. Only the members of `wanted` count: the service adds fields of its own and
 * defaults. A wanted `null` is the same as a missing member. Lists are compared element by element.
 */
export const differencesOf = (
  wanted: unknown,
  is: unknown,
  path: readonly (string | number)[] = [],
): readonly Difference[] => {
  if (Array.isArray(wanted) && Array.isArray(is)) {
    const length = Math.max(wanted.length, is.length);
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      index in wanted && index in is
        ? differencesOf(wanted[index], is[index], [...path, index])
        : [{ path: [...path, index], is: is[index], wanted: wanted[index] }],
    );
  }
  if (isRecord(wanted) && isRecord(is))
    return Object.entries(wanted).flatMap(([name, value]) => differencesOf(value, is[name], [...path, name]));

  return (wanted ?? null) === (is ?? null) ? [] : [{ path, is, wanted }];
};

/** The place of a difference: `mapping_fields.field_maps[2].split`. */
export const placeOf = (path: readonly (string | number)[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
