/** Export fields: the attributes of a profile that a file can have as columns, and the text of their cells. */
import type { ResolvedProfile } from '../../profiles/types.ts';
import { exportedFields } from '../../profiles/fields.ts';

/** Turns the ordinal of a profile into its UUID. */
export type SealOrdinal = (ordinal: number) => string;

/** The text of a cell, from a profile. */
type ReadCell = (profile: ResolvedProfile, seal: SealOrdinal) => string;

/** The fixed columns of field set `all`, in order. The columns of `extra_data` follow them. */
export const fixedFields = exportedFields;
type FixedField = (typeof fixedFields)[number];

/** The first column of a delta. */
export const CHANGE_COLUMN = 'change';

/** The columns that identify a person. A removed row of a delta has only these. */
export const identifyingFields: ReadonlySet<string> = new Set([
  'profile_uuid',
  'unique_id',
  'email',
  'social_id',
]);

/**
 * The last column, JSON of all keys of `extra_data` that have no column of their own. In a custom format, all of
 * `extra_data`.
 */
export const EXTRA_FIELD = 'extra_data';
const EXTRA_PREFIX = `${EXTRA_FIELD}.`;

/** Name of the column for a key of `extra_data`. */
export const extraField = (key: string): string => `${EXTRA_PREFIX}${key}`;

const fixed: ReadonlySet<string> = new Set(fixedFields);
const isFixed = (name: string): name is FixedField => fixed.has(name);

/** Whether a custom format may name this attribute. */
export const isExportField = (name: string): boolean =>
  isFixed(name) ||
  name === EXTRA_FIELD ||
  (name.startsWith(EXTRA_PREFIX) && name.length > EXTRA_PREFIX.length);

/** Text of a value of `extra_data`: a text unchanged, other values as JSON, and an empty text for an absent value. */
export const extraText = (value: unknown): string => {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Keys and values as a JSON object with sorted keys; an empty text when there are none. */
export const extraJson = (extra: readonly (readonly [string, unknown])[]): string =>
  extra.length === 0
    ? ''
    : JSON.stringify(Object.fromEntries(extra.toSorted(([a], [b]) => (a < b ? -1 : 1))));

/**
 * A reader of one attribute of a profile as the text of a cell; empty for an unknown value. Lists have the form that
 * imports read: `;` separates tags and likes, `,` separates source labels. `isExportField` must hold for the name.
 */
export const cellReader = (name: string): ReadCell => {
  if (isFixed(name)) return fixedReader(name);
  if (name === EXTRA_FIELD) return ({ extra }) => extraJson(Object.entries(extra));
  const key = name.slice(EXTRA_PREFIX.length);
  return ({ extra }) => extraText(Object.hasOwn(extra, key) ? extra[key] : undefined);
};

/** Fields that are not plain texts in a profile. */
const special: Readonly<Partial<Record<FixedField, ReadCell>>> = {
  profile_uuid: ({ ordinal }, seal) => seal(ordinal),
  country: ({ country }) => country ?? '',
  age: ({ age }) => (age === null ? '' : String(age)),
  source: ({ sources }) => sources.join(','),
  tags: ({ tags }) => [...new Set(tags.map(({ tag }) => tag))].join(';'),
  social_likes: ({ likes }) => likes.join(';'),
};

const fixedReader = (name: FixedField): ReadCell => special[name] ?? (({ fields }) => textOf(fields, name));

const textOf = (fields: Readonly<Record<string, string | null>>, name: string): string => fields[name] ?? '';
