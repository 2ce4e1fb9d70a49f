/** Fields of conditions: what their values are, and where a profile has them. */
import { isMinor } from '../../profiles/age.ts';
import { resolvedFields, type ResolvedField } from '../../profiles/fields.ts';
import { birthdayShownFrom } from '../../profiles/special.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import { dayText, utcDayOf } from '../../runtime/utc-days.ts';
import { visibleLine } from '../../runtime/visible-text.ts';
import type { Scalar } from './read-value.ts';
import type { Where } from './shape.ts';

/** What the values of a field are. A value of `extra_data` is whatever the operator takes it for. */
export type FieldKind = 'text' | 'number' | 'day' | 'any';

/** The values of a field of one profile: one, several or none. */
export type FieldValues = Scalar | readonly (Scalar | null)[] | null;

/** A field, ready to be read. */
export interface Field {
  /** Two fields with one key are one field. No name of a field begins with a brace, as the key of a tag does. */
  readonly key: string;
  readonly valuesOf: (profile: ResolvedProfile) => FieldValues;
  /**
   * The first UTC day on which the values of a profile are used: a property may not use special categories, and a
   * birthday is none any more once the person is of age. Undefined where it is the same for all days and profiles.
   */
  readonly usedFrom?: (profile: ResolvedProfile) => number;
  /** Whether that day may lie in the future, so that every verdict may change with time alone. */
  readonly comesOfAge?: true;
}

const EXTRA = 'extra_data.';

const texts: ReadonlyMap<string, ResolvedField> = new Map(
  resolvedFields.flatMap((name) => (name === 'birthday' ? [] : [[name, name] as const])),
);

const NEVER_USED = Number.POSITIVE_INFINITY;
const ALWAYS_USED = Number.NEGATIVE_INFINITY;

const ethnicityUsedFrom = ({ withoutSpecial }: ResolvedProfile): number =>
  withoutSpecial ? NEVER_USED : ALWAYS_USED;

const birthdayUsedFrom = ({ withoutSpecial, fields: { birthday } }: ResolvedProfile): number =>
  withoutSpecial && birthday !== null ? birthdayShownFrom(birthday) : ALWAYS_USED;

const ageUsedFrom = (profile: ResolvedProfile): number => {
  const { withoutSpecial, fields, age } = profile;
  if (fields.birthday !== null) return birthdayUsedFrom(profile);
  return withoutSpecial && age !== null && isMinor(age) ? NEVER_USED : ALWAYS_USED;
};

const others: Readonly<Record<string, Omit<Field, 'key'> & { readonly kind: FieldKind }>> = {
  country: { kind: 'text', valuesOf: ({ country }) => country },
  tag: { kind: 'text', valuesOf: ({ tags }) => (tags.length === 0 ? null : tags.map(({ tag }) => tag)) },
  source: { kind: 'text', valuesOf: ({ sources }) => (sources.length === 0 ? null : sources) },
  // The birthday counts, and the stated age only without one. Both lead to an age.
  age: {
    kind: 'number',
    valuesOf: ({ fields: { birthday }, age }) => birthday ?? age,
    usedFrom: ageUsedFrom,
    comesOfAge: true,
  },
  birthday: {
    kind: 'day',
    valuesOf: ({ fields: { birthday } }) => birthday,
    usedFrom: birthdayUsedFrom,
    comesOfAge: true,
  },
  created: {
    kind: 'day',
    valuesOf: ({ created }) => (created === null ? null : dayText(utcDayOf(created))),
  },
};

/** The names of all fields, for sentences; those of `extra_data` have keys of their own. */
export const fieldNames: readonly string[] = [...texts.keys(), ...Object.keys(others)].sort();

/** What the values of a field are; undefined when there is no such field. */
export const kindOfField = (field: Where['field']): FieldKind | undefined => {
  if (typeof field !== 'string') return 'day';
  if (texts.has(field)) return 'text';
  if (Object.hasOwn(others, field)) return others[field]?.kind;
  return field.startsWith(EXTRA) && field.length > EXTRA.length ? 'any' : undefined;
};

/** The field that a condition names. Throws for an unknown name: the schema knows none. */
export const fieldOf = (named: Where['field']): Field => {
  if (typeof named !== 'string') {
    const name = visibleLine(named.tag);
    return { key: JSON.stringify({ tag: name }), valuesOf: ({ tags }) => newestOf(tags, name) };
  }
  const text = texts.get(named);
  if (text !== undefined) {
    const valuesOf = ({ fields }: ResolvedProfile): string | null => fields[text];
    return { key: named, valuesOf, ...(text === 'ethnicity' && { usedFrom: ethnicityUsedFrom }) };
  }
  const other = Object.hasOwn(others, named) ? others[named] : undefined;
  if (other) return { ...other, key: named };
  if (kindOfField(named) === undefined) throw new Error('conditions: a field that is not known');
  const extraKey = named.slice(EXTRA.length);
  return {
    key: named,
    valuesOf: ({ extra }) => (Object.hasOwn(extra, extraKey) ? (extra[extraKey] ?? null) : null),
  };
};

/** The newest times of the tags of profiles by their names as people see them: many conditions ask about one profile. */
const newest = new WeakMap<ResolvedProfile['tags'], ReadonlyMap<string, string>>();

/** The newest time of the tags with a name. Names of tags are compared as those of their segments. */
const newestOf = (tags: ResolvedProfile['tags'], name: string): string | null => {
  const known = newest.get(tags);
  const times = known ?? newestIn(tags);
  if (!known) newest.set(tags, times);
  return times.get(name) ?? null;
};

const newestIn = (tags: ResolvedProfile['tags']): ReadonlyMap<string, string> => {
  const times = new Map<string, string>();
  for (const { tag, datetime } of tags) {
    const name = visibleLine(tag);
    const last = times.get(name);
    if (last === undefined || datetime > last) times.set(name, datetime);
  }
  return times;
};
