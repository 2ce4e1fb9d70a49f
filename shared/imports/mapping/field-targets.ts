/** Field targets: the fields of a record to which a definition can map columns. */
import { isObject } from '../../http/json.ts';
import { addressParts, importableFields, type AddressPart } from '../../profiles/fields.ts';

/** A field of a record to which columns can be mapped. */
export type Target =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'address'; readonly name: AddressPart }
  | { readonly kind: 'extra'; readonly name: string };

/** For an attribute, its alias in `address`. */
const partOf: ReadonlyMap<string, string> = new Map(addressParts.map(({ part, name }) => [name, part]));

const fields: ReadonlySet<string> = new Set([...importableFields, 'attribute_source', 'social_token']);

/** Names that would change the prototype of an object (prototype pollution). */
const reservedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const attributeOfPart: ReadonlyMap<string, string> = new Map(
  addressParts.map(({ part, name }) => [part, name]),
);

const isAddressPart = (name: string): name is AddressPart => attributeOfPart.has(name);

/** Parses a `target_field`; `undefined` when records have no such field. */
export const parseTarget = (text: string): Target | undefined => {
  if (fields.has(text)) return { kind: 'field', name: text };
  const [, head, name] = /^(address|extra_data)\.(.+)$/su.exec(text) ?? [];
  if (head === undefined || name === undefined || reservedNames.has(name)) return undefined;
  if (head === 'extra_data') return { kind: 'extra', name };
  return isAddressPart(name) ? { kind: 'address', name } : undefined;
};

/** The canonical name of an attribute: `address.postal_code` and `zipcode` are the same attribute. */
export const attributeOf = (target: Target): string => {
  if (target.kind === 'address') return attributeOfPart.get(target.name) ?? target.name;
  return target.kind === 'extra' ? `extra_data.${target.name}` : target.name;
};

const at = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Whether a record supplies an attribute. `null`, an empty text and an empty list supply nothing. */
export const supplies = (record: unknown, target: Target): boolean => {
  if (target.kind === 'extra') return isSupplied(at(at(record, 'extra_data'), target.name));
  const attribute = attributeOf(target);
  const part = partOf.get(attribute);
  if (isSupplied(at(record, attribute))) return true;
  return part !== undefined && isSupplied(at(at(record, 'address'), part));
};

const isSupplied = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
