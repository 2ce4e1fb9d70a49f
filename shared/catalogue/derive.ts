/** Segment derivation: computes the segments of a profile from its values, for the index, the tree and explanations. */
import type { JudgedField } from './conditions/rule-set.ts';
import type { Derivation } from './derivation.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import { identityKinds } from '../table/keys.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { ageBand, currentAge } from '../profiles/age.ts';
import { consentSegment, everyone, identityKey, keyed, segmentName, type Keyed } from './identity.ts';
import type { IndexedIdentity, SegmentIdentity, SegmentType } from './types.ts';

/** Demographic fields whose values become segments, with the label of the segment and of its node in the tree. */
const demographicFields = [
  ['gender', 'Gender'],
  ['has_children', 'Has children'],
  ['marital_status', 'Marital status'],
  ['education_level', 'Education level'],
  ['household_income', 'Household income'],
  ['home_owner_status', 'Home owner status'],
  ['ethnicity', 'Ethnicity'],
] as const;

/** The fields that make segments where special categories are not used: see `special.ts`. */
const ordinaryFields = demographicFields.filter(([field]) => field !== 'ethnicity');

/** The path element of an unknown level. Without it, a state could be mistaken for a country of the same name. */
const UNKNOWN_PLACE = 'Unknown';

/**
 * Cache of the segments of values, about 10 MB. Profiles share most of their values, and deriving segments takes a good
 * part of the time that storing and indexing a row takes.
 */
const memory = new BoundedMap<string, readonly Keyed[]>(20_000);

/**
 * The segments of a profile by `identityKey`, `everyone` first. `now` (epoch milliseconds) decides the age band and
 * `derivation` the segments of likes, and the conditions. Everything else follows from the profile.
 */
export const segmentsOf = (
  profile: ResolvedProfile,
  now: number,
  derivation: Derivation,
): ReadonlyMap<string, SegmentIdentity> => {
  const found = valuesOf(profile, now, derivation);
  collectConditions(found, profile, now, derivation);
  return found;
};

/** The segments under which the index stores a profile: those of `segmentsOf` and the hidden segments. */
export const indexedSegmentsOf = (
  profile: ResolvedProfile,
  now: number,
  derivation: Derivation,
): ReadonlyMap<string, IndexedIdentity> => {
  const found = indexedValuesOf(profile, now, derivation);
  collectConditions(found, profile, now, derivation);
  return found;
};

/**
 * The same without conditions, as a map of the caller's own. Conditions are many, and have ids: whoever derives very many
 * profiles takes them from `conditionsByField`.
 */
export const indexedValuesOf = (
  profile: ResolvedProfile,
  now: number,
  derivation: Derivation,
): Map<string, IndexedIdentity> => {
  const found: Map<string, IndexedIdentity> = valuesOf(profile, now, derivation);
  for (const calendar of derivation.calendars)
    for (const hidden of calendar.of(profile)) found.set(identityKey(hidden), hidden);
  return found;
};

/**
 * The ids of the conditions under which the index stores a profile at a time (epoch milliseconds), for each field: of these
 * fields, or of all.
 */
export const conditionsByField = (
  profile: ResolvedProfile,
  now: number,
  { conditions }: Derivation,
  fields?: readonly JudgedField[],
): readonly (readonly number[])[] =>
  isSomebody(profile) ? conditions.byField(profile, now, fields) : noConditions;

const noConditions: readonly (readonly number[])[] = [];

interface Found {
  set(key: string, identity: SegmentIdentity): unknown;
}

/** Adds the conditions that hold for a profile to `found`. */
const collectConditions = (
  found: Found,
  profile: ResolvedProfile,
  now: number,
  { conditions }: Derivation,
): void => {
  if (!isSomebody(profile)) return;
  for (const condition of conditions.of(profile, now)) found.set(identityKey(condition), condition);
};

/**
 * The segments of a profile without conditions, as a map of the caller's own. A profile without an identity is all that the undo of an import left of a person: it is in no segment, not even
 * in everyone. Nor is a person who objects to every use.
 */
const valuesOf = (
  profile: ResolvedProfile,
  now: number,
  derivation: Derivation,
): Map<string, SegmentIdentity> => {
  const found = new Map<string, SegmentIdentity>();
  const add = (segments: readonly Keyed[]): void => {
    for (const [key, identity] of segments) found.set(key, identity);
  };
  if (!isSomebody(profile)) return found;
  found.set(EVERYONE, derivation.everyone);
  for (const { tag } of profile.tags) add(remembered('tag', tag, tagSegment));
  for (const source of profile.sources) add(remembered('source', source, sourceSegment));
  add(ageSegment(profile, now));
  for (const [field, label] of profile.withoutSpecial ? ordinaryFields : demographicFields)
    add(demographic(label, profile.fields[field]));
  add(locationSegments(profile));
  for (const { channel, state } of profile.consent)
    add(remembered(`consent ${channel}`, state, () => [consentSegment(channel, state)]));
  for (const page of profile.likes) add(derivation.brands.segmentsOf(page));
  return found;
};

/** Whether a profile is a person who may be in segments. */
export const isSomebody = ({ fields, restricted }: ResolvedProfile): boolean =>
  !restricted && identityKinds.some((kind) => fields[kind] !== null);

/** The segment of an age in whole years, with its key. */
export const ageSegments = (age: number): readonly Keyed[] => demographic('Age', ageBand(age));

const EVERYONE = identityKey(everyone);

/** The segments of a value, from the cache or from `make`. `field` names the field of the value. */
const remembered = (
  field: string,
  value: string,
  make: (value: string) => readonly SegmentIdentity[],
): readonly Keyed[] => {
  const name = `${field}\n${value}`;
  const known = memory.get(name);
  if (known) return known;
  const made = make(value).map(keyed);
  memory.set(name, made);
  return made;
};

/** A list of one segment; an empty list when the value is blank. */
const segment = (type: SegmentType, path: readonly string[], value: string): readonly SegmentIdentity[] => {
  const name = segmentName(value);
  return name === undefined ? [] : [{ type, path, name }];
};

const tagSegment = (tag: string) => segment('tag', ['Tags'], tag);
const sourceSegment = (source: string) => segment('source', ['Sources'], source);

const demographic = (label: string, value: string | null): readonly Keyed[] =>
  value === null
    ? []
    : remembered(label, value, (text) =>
        segment('demographic', ['Demographics', label], text).map((identity) => ({
          ...identity,
          name: `${label}: ${identity.name}`,
        })),
      );

const ageSegment = (profile: ResolvedProfile, now: number): readonly Keyed[] => {
  const age = currentAge(profile, now);
  return age === null ? [] : ageSegments(age);
};

/** One segment per known level: `US` in Location, `TX, US` in Location › US, `Austin, TX, US` in Location › US › TX. */
const locationSegments = ({ country, fields: { state, city } }: ResolvedProfile): readonly Keyed[] => {
  if (country === null && state === null && city === null) return [];
  // No text in a profile contains NUL.
  return remembered('place', [country, state, city].join('\0'), () =>
    placesOf([country, state, city].map(segmentName)),
  );
};

const placesOf = (levels: readonly (string | undefined)[]): readonly SegmentIdentity[] =>
  levels.flatMap((level, depth) => {
    const known = levels.slice(0, depth + 1).filter((name) => name !== undefined);
    const path = ['Location', ...levels.slice(0, depth).map((name) => name ?? UNKNOWN_PLACE)];
    return level === undefined ? [] : [{ type: 'location', path, name: known.reverse().join(', ') }];
  });
