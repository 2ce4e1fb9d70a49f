/** Print JSON: prints a profile as a line of JSON Lines, and reads the lines of a delta. */
import * as v from 'valibot';
import type { ResolvedProfile } from '../../profiles/types.ts';
import { CHANGE_COLUMN, UUID_FIELD, valueReader, type CellContext } from '../model/fields.ts';
import { changeKinds } from '../model/items.ts';
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
    const first = change === undefined ? [] : [changeMember(change)];
    const within = rowBudget();
    return `{${[...first, ...printed.map((print) => within(print(profile)))].join(',')}}`;
  };
};

const changeMember = (change: string): string => `"${CHANGE_COLUMN}":${JSON.stringify(change)}`;

/** A line of a delta as a change of a call. The text of the values stays as it is. */
export const changeOfLine = (line: string): string => {
  const change = changeKinds.find((kind) => line.startsWith(`{${changeMember(kind)}`));
  if (change === undefined) throw new Error('exports: a line is no change');
  const values = line.slice(`{${changeMember(change)}`.length).replace(/^,/, '');
  return `{"change":"${change}","profile":{${values}}`;
};

const named = v.object({ [UUID_FIELD]: v.string() });

/** The UUID of the person of a line. Throws for a line without one. */
export const uuidIn = (line: string): string => v.parse(named, JSON.parse(line))[UUID_FIELD];
