import type { ResolvedProfile } from '../../profiles/types.ts';
import { exportedFields } from '../../profiles/fields.ts';

/** Seals the ordinal of a profile into its UUID. */
export type SealOrdinal = (ordinal: number) => string;

/** The text of a cell, from a profile. */
type ReadCell = (profile: ResolvedProfile, seal: SealOrdinal) => string;

/** The columns that every export of field set `all` has, in order; those of `extra_data` follow. */
export const fixedFields = exportedFields;
type FixedField = (typeof fixedFields)[number];

/** First column of a delta. */
export const CHANGE_COLUMN = 'change';

/** The columns that tell who somebody is: all that a removed row of a delta carries. */
export const identifyingFields: ReadonlySet<string> = new Set([
  'profile_uuid',
  'unique_id',
  'email',
  'social_id',
]);

/** Column of what found no column of its own, as JSON. As a field of a custom format: all of `extra_data`. */
export const EXTRA_FIELD = 'extra_data';
const EXTRA_PREFIX = `${EXTRA_FIELD}.`;

/** Name of the column of a key of `extra_data`. */
export const extraField = (key: string): string => `${EXTRA_PREFIX}${key}`;

const fixed: ReadonlySet<string> = new Set(fixedFields);
const isFixed = (name: string): name is FixedField => fixed.has(name);

/** Whether a custom format may name this attribute. */
export const isExportField = (name: string): boolean =>
  isFixed(name) ||
  name === EXTRA_FIELD ||
  (name.startsWith(EXTRA_PREFIX) && name.length > EXTRA_PREFIX.length);

/** Text of a value of `extra_data`: text as it is, other scalars and arrays as JSON, nothing for none. */
export const extraText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** Keys and values as a JSON object with sorted keys; empty when there are none. */
export const extraJson = (extra: readonly (readonly [string, unknown])[]): string =>
  extra.length === 0
    ? ''
    : JSON.stringify(Object.fromEntries(extra.toSorted(([a], [b]) => (a < b ? -1 : 1))));

/**
 * Reads one attribute of a profile as the text of a cell; empty when unknown. Lists are written as imports read them:
 * tags and likes with `;` between, source labels with `,`. The name must be an `isExportField`.
 */
export const cellReader = (name: string): ReadCell => {
  if (isFixed(name)) return fixedReader(name);
  if (name === EXTRA_FIELD) return ({ extra }) => extraJson(Object.entries(extra));
  const key = name.slice(EXTRA_PREFIX.length);
  return ({ extra }) => extraText(Object.hasOwn(extra, key) ? extra[key] : undefined);
};

/** Fields that are not plain texts of the profile. */
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
