/** Export fields: the attributes of a profile that a file can have as columns, and the text of their cells. */
import { currentAge } from '../../profiles/age.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import { isChannel } from '../../profiles/consent.ts';
import { exportedFields } from '../../profiles/fields.ts';

/** What the cells of a file need besides the profiles. */
export interface CellContext {
  /** Turns the ordinal of a profile into its UUID. */
  readonly seal: (ordinal: number) => string;
  /** The time at which the members were read, in epoch milliseconds: ages are those of its UTC day. */
  readonly at: number;
}

/** The text of a cell, from a profile. */
type ReadCell = (profile: ResolvedProfile, context: CellContext) => string;

/** The fixed columns of field set `all`, in order. The columns of `extra_data` follow them. */
export const fixedFields = exportedFields;
type FixedField = (typeof fixedFields)[number];

/** The first column of a delta. */
export const CHANGE_COLUMN = 'change';

/** The column by which a row names a person of whom nothing else is left. */
export const UUID_FIELD = 'profile_uuid';

/** The columns that identify a person. A removed row of a delta has only these. */
export const identifyingFields: ReadonlySet<string> = new Set([
  UUID_FIELD,
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

/** The state of the consent on a channel. Only a custom format has such columns. */
const CONSENT_PREFIX = 'consent.';

/** The age by which segments decide. Only a custom format has such a column: `age` is the stated age. */
export const CURRENT_AGE = 'current_age';

const fixed: ReadonlySet<string> = new Set(fixedFields);
const isFixed = (name: string): name is FixedField => fixed.has(name);

/** Whether a custom format may name this attribute. */
export const isExportField = (name: string): boolean =>
  isFixed(name) ||
  name === EXTRA_FIELD ||
  name === CURRENT_AGE ||
  (name.startsWith(CONSENT_PREFIX) && isChannel(name.slice(CONSENT_PREFIX.length))) ||
  (name.startsWith(EXTRA_PREFIX) && name.length > EXTRA_PREFIX.length);

/** Text of a value of `extra_data`: a text unchanged, other values as JSON, and an empty text for an absent value. */
export const extraText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Keys and values as a JSON object with sorted keys; an empty text when there are none. */
export const extraJson = (extra: readonly (readonly [string, unknown])[]): string =>
  extra.length === 0
    ? ''
    : JSON.stringify(Object.fromEntries(extra.toSorted(([a], [b]) => (a < b ? -1 : 1))));

/** A value of a profile with its type; `null` or `undefined` for an unknown value. */
type ReadValue = (profile: ResolvedProfile, context: CellContext) => unknown;

/** A reader of one attribute of a profile. `isExportField` must hold for the name. */
export const valueReader = (name: string): ReadValue => {
  if (isFixed(name)) return fixedReader(name);
  if (name === EXTRA_FIELD) return ({ extra }) => extra;
  if (name === CURRENT_AGE) return (profile, { at }) => currentAge(profile, at);
  if (name.startsWith(CONSENT_PREFIX)) {
    const wanted = name.slice(CONSENT_PREFIX.length);
    return ({ consent }) => consent.find(({ channel }) => channel === wanted)?.state;
  }
  const key = name.slice(EXTRA_PREFIX.length);
  return ({ extra }) => (Object.hasOwn(extra, key) ? extra[key] : undefined);
};

/** Fields that are not plain texts in a profile. */
const special: Readonly<Partial<Record<FixedField, ReadValue>>> = {
  profile_uuid: ({ ordinal }, { seal }) => seal(ordinal),
  country: ({ country }) => country,
  age: ({ age }) => age,
  source: ({ sources }) => sources,
  tags: ({ tags }) => [...new Set(tags.map(({ tag }) => tag))],
  social_likes: ({ likes }) => likes,
};

const fixedReader = (name: FixedField): ReadValue => special[name] ?? (({ fields }) => textOf(fields, name));

const textOf = (fields: Readonly<Record<string, string | null>>, name: string): string | null =>
  fields[name] ?? null;

/** The separators of lists in cells, as imports read them. */
const separators: Readonly<Partial<Record<FixedField, string>>> = {
  source: ',',
  tags: ';',
  social_likes: ';',
};

/** A reader of one attribute as the text of a cell; empty for an unknown value. `isExportField` must hold for the name. */
export const cellReader = (name: string): ReadCell => {
  const read = valueReader(name);
  if (name === EXTRA_FIELD) return ({ extra }) => extraJson(Object.entries(extra));
  if (!isFixed(name)) return (profile, context) => extraText(read(profile, context));
  const separator = separators[name];
  return (profile, context) => {
    const value = read(profile, context);
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    return Array.isArray(value) ? value.join(separator) : '';
  };
};
