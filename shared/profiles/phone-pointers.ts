/**
 * Phone pointers: find the profiles that show a phone number. A pointer is written before the profile that shows the
 * number, and the profile decides: a lookup ignores a pointer to a profile that shows another number by now.
 */
import type { PropertyScope } from '../properties/scope.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { keyedHash } from './identity-claims.ts';
import { keyOf, type State } from './profile-state.ts';
import { tiers } from './types.ts';

/** A number in the form of E.164 with its `+`: a country code and 8 to 15 digits in all. */
export const isPhoneKey = (text: string): boolean => /^\+[1-9]\d{7,14}$/.test(text);

const NAME = 'phone_number';

/** The phone number that a profile shows: of its most trusted tier with a value. */
const shownPhone = (state: State): string | undefined => {
  for (const tier of Object.values(tiers)) {
    const value = state.get(keyOf('value', tier, NAME))?.value;
    if (typeof value === 'string') return value;
  }
  return undefined;
};

/** Every number that a profile may have shown, in the form that has pointers. */
const phonesOf = (state: State): readonly string[] =>
  [...state.values()].flatMap(({ area, name, value }) =>
    area === 'value' && name === NAME && typeof value === 'string' && isPhoneKey(value) ? [value] : [],
  );

const pointerKey = (scope: PropertyScope, phone: string, ordinal: number): Key =>
  keys.phonePointer(scope.id, keyedHash(scope, NAME, phone), ordinal);

/** The keys of the pointers to a profile. */
export const phonePointersOf = (scope: PropertyScope, ordinal: number, state: State): readonly Key[] =>
  phonesOf(state).map((phone) => pointerKey(scope, phone, ordinal));

/** A profile that is about to be written: its state before and after. */
export interface PhoneChange {
  readonly ordinal: number;
  readonly before: State;
  readonly after: State;
}

/**
 * Writes the pointers of the numbers that these profiles will show and do not show yet. A number in another form has no
 * pointer. Idempotent: a pointer that exists stays.
 */
export const writePhonePointers = async (
  table: Table,
  scope: PropertyScope,
  changes: readonly PhoneChange[],
): Promise<void> => {
  const writes = changes.flatMap(({ ordinal, before, after }) => {
    const phone = shownPhone(after);
    if (phone === undefined || !isPhoneKey(phone) || phone === shownPhone(before)) return [];
    return [{ kind: 'insert', key: pointerKey(scope, phone, ordinal), set: {} } as const];
  });
  if (writes.length > 0) await table.writeMany(writes);
};

/** Ordinals with a pointer from a number, ascending, up to a limit. Their profiles decide whether they show it. */
export const ordinalsAt = async (
  table: Table,
  scope: PropertyScope,
  phone: string,
  limit: number,
): Promise<readonly number[]> => {
  const { pk } = keys.phonePointer(scope.id, keyedHash(scope, NAME, phone), 0);
  const { items } = await table.query(pk, { limit });
  return items.map(({ sk }) => Number(sk));
};
