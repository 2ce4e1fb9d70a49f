import { isObject } from '../../http/json.ts';
import { addressParts, importableFields, type AddressPart } from '../../profiles/fields.ts';

/** A place in a record that a column can fill. */
export type Target =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'address'; readonly name: AddressPart }
  | { readonly kind: 'extra'; readonly name: string };

/** The part of `address` that is another name of an attribute. */
const partOf: ReadonlyMap<string, string> = new Map(addressParts.map(({ part, name }) => [name, part]));

const fields: ReadonlySet<string> = new Set([...importableFields, 'attribute_source', 'social_token']);

/** Names that would reach the prototype of the object they are set on. */
const reservedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const attributeOfPart: ReadonlyMap<string, string> = new Map(
  addressParts.map(({ part, name }) => [part, name]),
);

const isAddressPart = (name: string): name is AddressPart => attributeOfPart.has(name);

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
  if (target.kind === 'address') return attributeOfPart.get(target.name) ?? target.name;
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
