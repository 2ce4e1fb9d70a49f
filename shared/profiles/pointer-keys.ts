/**
 * Pointer keys: what a pointer is. It leads from a value that several people may have to a profile: from a phone number, and
 * from a last name where the property searches by them. Its item is under keyed hashes of the value, and the profile lists it
 * by the same hashes.
 */
import type { PropertyScope } from '../properties/scope.ts';
import { keys, type Key } from '../table/keys.ts';
import { keyedHash } from './identity-claims.ts';
import { placeOfName } from './name-places.ts';
import { isNobody, keyOf, type State } from './profile-state.ts';
import { tiers } from './types.ts';

/** A number in the form of E.164 with its `+`: a country code and 8 to 15 digits in all. */
export const isPhoneKey = (text: string): boolean => /^\+[1-9]\d{7,14}$/.test(text);

/** The field whose values have pointers in every property. */
export const PHONE = 'phone_number';

/** A pointer as a profile lists it is its kind and hashes of its value; a mark before it says that it has ended. */
const [OF_PHONE, OF_NAME, ENDED] = ['phone:', 'name:', '-'];

/** Whether a pointer is from a phone number. */
export const isOfPhone = (pointer: string): boolean => pointer.startsWith(OF_PHONE);

/** Whether a pointer is from a last name. */
export const isOfName = (pointer: string): boolean => pointer.startsWith(OF_NAME);

const fields = [PHONE, 'last_name', 'city'] as const;
/** A field whose values pointers lead from. */
export type PointedField = (typeof fields)[number];

/** The keys of the values of a field, the most trusted tier first. */
const keysOf = (field: string): readonly string[] =>
  Object.values(tiers).map((tier) => keyOf('value', tier, field));
const shownKeys = new Map(fields.map((field) => [field, keysOf(field)]));

/** The text of a field that a profile shows: of its most trusted tier with a value. */
export const shownText = (state: State, field: PointedField): string | null => {
  for (const key of shownKeys.get(field) ?? []) {
    const value = state.get(key)?.value;
    if (typeof value === 'string') return value;
  }
  return null;
};

/** The pointer from the number that a state shows, if the number has pointers. */
export const phonePointerOf = (scope: PropertyScope, state: State): string | undefined => {
  const phone = shownText(state, PHONE);
  return phone !== null && isPhoneKey(phone) ? `${OF_PHONE}${keyedHash(scope, PHONE, phone)}` : undefined;
};

/** The pointer from the last name and the town that a state shows, if the property searches by them. */
export const namePointerOf = (scope: PropertyScope, state: State): string | undefined => {
  if (!scope.rules.searchNames || isNobody(state)) return undefined;
  const name = shownText(state, 'last_name');
  const place = name === null ? undefined : placeOfName(scope, name, shownText(state, 'city'));
  return place && `${OF_NAME}${place.head}.${place.rest}`;
};

/** The key of a pointer to the profile at an ordinal. */
export const pointerKey = (property: number, pointer: string, ordinal: number): Key => {
  if (isOfPhone(pointer)) return keys.phonePointer(property, pointer.slice(OF_PHONE.length), ordinal);
  const [head = '', rest = ''] = pointer.slice(OF_NAME.length).split('.');
  return keys.namePointer(property, head, { rest, ordinal });
};

/** A pointer as a profile lists it that has ended and may still be there. */
export const ended = (pointer: string): string => `${ENDED}${pointer}`;

/** The pointers of a list that are there. */
export const liveOnes = (listed: readonly string[]): readonly string[] =>
  listed.filter((one) => !one.startsWith(ENDED));

/** The pointers of a list that have ended, without their marks. */
export const endedOnes = (listed: readonly string[]): readonly string[] =>
  listed.filter((one) => one.startsWith(ENDED)).map((one) => one.slice(ENDED.length));

/** The keys of all pointers that a profile lists. */
export const pointerKeysOf = (
  property: number,
  ordinal: number,
  listed: readonly string[],
): readonly Key[] => {
  const all = new Set([...liveOnes(listed), ...endedOnes(listed)]);
  return [...all].map((pointer) => pointerKey(property, pointer, ordinal));
};
