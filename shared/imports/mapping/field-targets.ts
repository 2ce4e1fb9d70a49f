import { isObject } from '../../http/json.ts';
import { returnedFields } from '../../profiles/types.ts';

/** Parts of `address`, and the attribute that each is another name of. */
const addressParts = {
  street: 'street',
  street2: 'street2',
  city: 'city',
  state: 'state',
  postal_code: 'zipcode',
  country: 'country',
} as const;
type AddressPart = keyof typeof addressParts;

/** A place in a record that a column can fill. */
export type Target =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'address'; readonly name: AddressPart }
  | { readonly kind: 'extra'; readonly name: string };

/** The part of `address` that is another name of an attribute. */
const partOf: ReadonlyMap<string, string> = new Map(
  Object.entries(addressParts).map(([part, attribute]) => [attribute, part]),
);

const fields: ReadonlySet<string> = new Set([
  ...returnedFields.filter((name) => name !== 'profile_uuid'),
  'age',
  'country',
  'tags',
  'social_likes',
  'source',
  'attribute_source',
  'social_token',
]);

/** Names that would reach the prototype of the object they are set on. */
const reservedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const isAddressPart = (name: string): name is AddressPart => Object.hasOwn(addressParts, name);

/** Reads a `target_field`; `undefined` when no record has such a place. */
export const parseTarget = (text: string): Target | undefined => {
  if (fields.has(text)) return { kind: 'field', name: text };
  const [, head, name] = /^(address|extra_data)\.(.+)$/su.exec(text) ?? [];
  if (head === undefined || name === undefined || reservedNames.has(name)) return undefined;
  if (head === 'extra_data') return { kind: 'extra', name };
  return isAddressPart(name) ? { kind: 'address', name } : undefined;
};

/** One name per attribute: `address.postal_code` and `zipcode` are the same. */
export const attributeOf = (target: Target): string => {
  if (target.kind === 'address') return addressParts[target.name];
  return target.kind === 'extra' ? `extra_data.${target.name}` : target.name;
};

const at = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Whether a record as sent supplies an attribute: an empty text or list and `null` supply nothing. */
export const supplies = (record: unknown, target: Target): boolean => {
  if (target.kind === 'extra') return isSupplied(at(at(record, 'extra_data'), target.name));
  const attribute = attributeOf(target);
  const part = partOf.get(attribute);
  if (isSupplied(at(record, attribute))) return true;
  return part !== undefined && isSupplied(at(at(record, 'address'), part));
};

const isSupplied = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
