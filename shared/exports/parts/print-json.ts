/** Print JSON: prints a profile as a line of JSON Lines. */
import type { ResolvedProfile } from '../../profiles/types.ts';
import { valueReader, type CellContext } from '../model/fields.ts';
import { rowBudget } from './row-budget.ts';

/** A member of the objects of a file: its name, and the attribute of the profile that it has. */
export interface JsonMember {
  readonly name: string;
  readonly field: string;
}

/**
 * A printer of objects with these members, in this order. Throws `RowTooLargeError` for an object that is too large.
 * Values keep their types: an unknown value is `null`, and a list is an array. `change` stands in front of the objects
 * of a delta.
 */
export const jsonPrinter = (
  members: readonly JsonMember[],
  context: CellContext,
): ((profile: ResolvedProfile, change: string | undefined) => string) => {
  const printed = members.map(({ name, field }) => {
    const read = valueReader(field);
    const key = `${JSON.stringify(name)}:`;
    return (profile: ResolvedProfile): string => key + JSON.stringify(read(profile, context) ?? null);
  });
  return (profile, change) => {
    const first = change === undefined ? [] : [`"change":${JSON.stringify(change)}`];
    const within = rowBudget();
    return `{${[...first, ...printed.map((print) => within(print(profile)))].join(',')}}`;
  };
};
