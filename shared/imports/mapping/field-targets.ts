/** Field targets: the fields of a record to which a definition can map columns. */
import { isObject } from '../../http/json.ts';
import { identityKinds } from '../../table/keys.ts';
import { isChannel } from '../../profiles/consent.ts';
import { addressParts, importableFields, type AddressPart } from '../../profiles/fields.ts';
import { statementsIn } from './consent-cells.ts';

/** A field of a record to which columns can be mapped. */
export type Target =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'address'; readonly name: AddressPart }
  | { readonly kind: 'extra'; readonly name: string }
  /** What was said about a channel, and when. `name` is the channel. */
  | { readonly kind: 'consent' | 'consentTime'; readonly name: string };

/** For an attribute, its alias in `address`. */
const partOf: ReadonlyMap<string, string> = new Map(addressParts.map(({ part, name }) => [name, part]));

const fields: ReadonlySet<string> = new Set([...importableFields, 'attribute_source', 'social_token']);

/** The names of all targets but those of `extra_data` and `consent`. */
export const targetNames: readonly string[] = [
  ...fields,
  ...addressParts.map(({ part }) => `address.${part}`),
];

/** Names that would change the prototype of an object (prototype pollution). */
const reservedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const attributeOfPart: ReadonlyMap<string, string> = new Map(
  addressParts.map(({ part, name }) => [part, name]),
);

const isAddressPart = (name: string): name is AddressPart => attributeOfPart.has(name);

/** Parses a `target_field`; `undefined` when records have no such field. */
export const parseTarget = (text: string): Target | undefined => {
  if (fields.has(text)) return { kind: 'field', name: text };
  const [, head, name] = /^(address|extra_data|consent)\.(.+)$/su.exec(text) ?? [];
  if (head === undefined || name === undefined || reservedNames.has(name)) return undefined;
  if (head === 'extra_data') return { kind: 'extra', name };
  if (head === 'consent') return consentTarget(name);
  return isAddressPart(name) ? { kind: 'address', name } : undefined;
};

const TIME = '.datetime';

const consentTarget = (text: string): Target | undefined => {
  const isTime = text.endsWith(TIME);
  const name = isTime ? text.slice(0, -TIME.length) : text;
  return isChannel(name) ? { kind: isTime ? 'consentTime' : 'consent', name } : undefined;
};

/** The canonical name of an attribute: `address.postal_code` and `zipcode` are the same attribute. */
export const attributeOf = (target: Target): string => {
  if (target.kind === 'address') return attributeOfPart.get(target.name) ?? target.name;
  if (target.kind === 'consent') return `consent.${target.name}`;
  if (target.kind === 'consentTime') return `consent.${target.name}${TIME}`;
  return target.kind === 'extra' ? `extra_data.${target.name}` : target.name;
};

/** The attribute with the statement that a time of consent dates; `undefined` for every other target. */
export const statementDatedBy = (target: Target | undefined): string | undefined =>
  target?.kind === 'consentTime' ? attributeOf({ kind: 'consent', name: target.name }) : undefined;

/** The canonical name of an attribute from the text of a target, so that two aliases are the same. */
export const attributeNamed = (text: string): string => {
  const target = parseTarget(text);
  return target ? attributeOf(target) : text;
};

const listNames: ReadonlySet<string> = new Set(['tags', 'remove_tags', 'social_likes', 'source']);

/** Whether a target holds several values. */
export const isList = ({ kind, name }: Target): boolean => kind === 'field' && listNames.has(name);

/** Targets that say whose record it is, or that are no attribute of a profile. `null` erases none of them. */
const unerasable: ReadonlySet<string> = new Set([...identityKinds, 'social_token', 'attribute_source']);

/** Whether `null` erases the values of a target. Consent is withdrawn, and never erased. */
export const isErasable = ({ kind, name }: Target): boolean =>
  kind !== 'consent' && kind !== 'consentTime' && (kind !== 'field' || !unerasable.has(name));

/** Targets that lead to one person: the same text in every row would make one person of all rows. */
const personal: ReadonlySet<string> = new Set([...identityKinds, 'social_token']);

/** Whether a target names a person. */
export const isPersonal = ({ kind, name }: Target): boolean => kind === 'field' && personal.has(name);

/** A copy of a record without the value of a target. */
export const withoutTarget = (
  record: Readonly<Record<string, unknown>>,
  { kind, name }: Target,
): Readonly<Record<string, unknown>> => {
  if (kind === 'field') return omit(record, name);
  if (kind === 'consent')
    return { ...record, consent: statementsIn(record).filter(({ channel }) => channel !== name) };
  // The mapping refuses a bad time, so the record lacks the time already.
  if (kind === 'consentTime') return record;
  const parent = kind === 'address' ? 'address' : 'extra_data';
  const object = record[parent];
  return isObject(object) ? { ...record, [parent]: omit(object, name) } : record;
};

const omit = (object: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

const at = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Whether a record supplies an attribute. `null`, an empty text and an empty list supply nothing. */
export const supplies = (record: unknown, target: Target): boolean => {
  const said = (): Readonly<Record<string, unknown>> | undefined =>
    statementsIn(record).find(({ channel }) => channel === target.name);
  if (target.kind === 'consent') return said() !== undefined;
  if (target.kind === 'consentTime') return said()?.['datetime'] !== undefined;
  if (target.kind === 'extra') return isSupplied(at(at(record, 'extra_data'), target.name));
  const attribute = attributeOf(target);
  const part = partOf.get(attribute);
  if (isSupplied(at(record, attribute))) return true;
  return part !== undefined && isSupplied(at(at(record, 'address'), part));
};

const isSupplied = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
