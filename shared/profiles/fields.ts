/**
 * Profile fields: the one table of the fields of records and profiles. Schemas, views, exports and imports derive from
 * it.
 */
import { identityKinds, type IdentityKind } from '../table/keys.ts';

/**
 * Every field of a record, in the order in which its faults are reported. `kind` names the rules of its values. `order` is
 * the position among the scalar fields in responses and exports. `addressPart` is its second name, within `address`.
 */
const profileFields = {
  unique_id: { kind: 'identifier', order: 23 },
  email: { kind: 'email', order: 20 },
  social_id: { kind: 'identifier', order: 13 },
  first_name: { kind: 'text', order: 11 },
  last_name: { kind: 'text', order: 1 },
  full_name: { kind: 'text', order: 12 },
  age: { kind: 'age', order: 25 },
  birthday: { kind: 'birthday', order: 17 },
  gender: { kind: 'text', order: 18 },
  address: { kind: 'address' },
  street: { kind: 'text', order: 3, addressPart: 'street' },
  street2: { kind: 'text', order: 4, addressPart: 'street2' },
  city: { kind: 'text', order: 5, addressPart: 'city' },
  state: { kind: 'text', order: 6, addressPart: 'state' },
  zipcode: { kind: 'text', order: 7, addressPart: 'postal_code' },
  country: { kind: 'text', order: 24, addressPart: 'country' },
  has_children: { kind: 'yesOrNo', order: 15 },
  professional_id: { kind: 'text', order: 2 },
  phone_number: { kind: 'text', order: 16 },
  education_level: { kind: 'text', order: 8 },
  home_owner_status: { kind: 'text', order: 9 },
  home_value: { kind: 'text', order: 14 },
  household_income: { kind: 'text', order: 21 },
  marital_status: { kind: 'text', order: 19 },
  ethnicity: { kind: 'text', order: 10 },
  social_likes: { kind: 'likes' },
  tags: { kind: 'tags' },
  remove_tags: { kind: 'removedTags' },
  source: { kind: 'labels' },
  consent: { kind: 'consent' },
  extra_data: { kind: 'pairs' },
  profile_uuid: { kind: 'uuid', order: 22 },
} as const;

type Fields = typeof profileFields;
type FieldName = keyof Fields;
type NamesWith<Property> = {
  [Name in FieldName]: Fields[Name] extends Property ? Name : never;
}[FieldName];

/** The kind of a field. */
export type KindOf<Name extends FieldName> = Fields[Name]['kind'];

/** A field that a client can send. The service assigns the UUID. */
export type SentField = Exclude<FieldName, 'profile_uuid'>;

/** A field with one value: text or a number. */
export type ScalarField = NamesWith<{ readonly order: number }>;

/** A field of a looked-up profile: every scalar field except `country` and `age`, which only exports contain. */
export type ReturnedField = Exclude<ScalarField, 'country' | 'age'>;

/** A text of a resolved profile: every returned field except the UUID, which is the sealed ordinal. */
export type ResolvedField = Exclude<ReturnedField, 'profile_uuid'>;

/** A scalar field that is not an identity. */
export type AttributeName = Exclude<ScalarField, IdentityKind | 'profile_uuid'>;

/** A field with a second name within `address`. */
type AddressField = NamesWith<{ readonly addressPart: string }>;

/** A part of `address`. */
export type AddressPart = Fields[AddressField]['addressPart'];

const isField = (name: string): name is FieldName => Object.hasOwn(profileFields, name);
const allFields: readonly FieldName[] = Object.keys(profileFields).filter(isField);

const isSent = (name: FieldName): name is SentField => name !== 'profile_uuid';
const isScalar = (name: FieldName): name is ScalarField => 'order' in profileFields[name];
const isReturned = (name: ScalarField): name is ReturnedField => name !== 'country' && name !== 'age';
const isResolved = (name: ReturnedField): name is ResolvedField => name !== 'profile_uuid';
const identities: ReadonlySet<string> = new Set(identityKinds);
const isAttribute = (name: ScalarField): name is AttributeName =>
  name !== 'profile_uuid' && !identities.has(name);

/** The fields of a record, in the order of `profileFields`. */
export const sentFields = allFields.filter(isSent);

/** The kind of a sent field. */
export const kindOfField = (name: SentField): KindOf<SentField> => profileFields[name].kind;

/** All scalar fields, in the order of the contract. */
export const scalarFields: readonly ScalarField[] = allFields
  .filter(isScalar)
  .sort((a, b) => profileFields[a].order - profileFields[b].order);

/** The 23 fields of a looked-up profile, in the order of the contract. */
export const returnedFields = scalarFields.filter(isReturned);

/** The texts of a resolved profile. */
export const resolvedFields = returnedFields.filter(isResolved);

/** All scalar fields that are not identities, in the order of the contract. */
export const attributeNames = scalarFields.filter(isAttribute);

const isPartOfAddress = (name: FieldName): name is AddressField => 'addressPart' in profileFields[name];

/** The parts of `address`, each with the field that has the same value. */
export const addressParts = allFields
  .filter(isPartOfAddress)
  .map((name) => ({ part: profileFields[name].addressPart, name }));

/** The columns of every export of field set `all`, in order. */
export const exportedFields = [...scalarFields, 'source', 'tags', 'social_likes'] as const;

/** The fields that an import can fill from a column by their own name. */
export const importableFields = [
  ...resolvedFields,
  'age',
  'country',
  'tags',
  'remove_tags',
  'social_likes',
  'source',
] as const;

/**
 * A record of `null` under each of these names, in their order. `fromEntries` makes an object that V8 copies a hundred times
 * as fast as an object that grew by assignments, and each profile is such a copy.
 */
export const nullsOf = <Name extends string>(
  names: readonly Name[],
): Readonly<Record<Name, string | null>> => {
  const nulls: object = Object.fromEntries(names.map((name) => [name, null]));
  if (!isNullUnder(nulls, names)) throw new Error('profiles: a field has no value');
  return nulls;
};

/** Whether an object has `null` under all of these names. */
const isNullUnder = <Name extends string>(
  record: object,
  names: readonly Name[],
): record is Record<Name, null> => {
  const found: ReadonlyMap<string, unknown> = new Map(Object.entries(record));
  return names.every((name) => found.get(name) === null);
};
