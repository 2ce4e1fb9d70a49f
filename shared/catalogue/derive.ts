import type { Brands } from './brands.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { ageBand, ageOn } from './age.ts';
import { birthMonthOf, everyone, identityKey, keyed, segmentName, type Keyed } from './identity.ts';
import type { IndexedIdentity, SegmentIdentity, SegmentType } from './types.ts';

/** Demographic fields that make a segment of their value, with the label that names it and its node. */
const demographicFields = [
  ['gender', 'Gender'],
  ['has_children', 'Has children'],
  ['marital_status', 'Marital status'],
  ['education_level', 'Education level'],
  ['household_income', 'Household income'],
  ['home_owner_status', 'Home owner status'],
  ['ethnicity', 'Ethnicity'],
] as const;

/** Stands in a path for a level that is not known, so that a state is never taken for a country of the same name. */
const UNKNOWN_PLACE = 'Unknown';

/**
 * What values have been found to say, so that the same value is not normalised and keyed again: people share most of
 * theirs, and deriving is a good part of what storing and indexing a row cost. About 10 MB.
 */
const memory = new BoundedMap<string, readonly Keyed[]>(20_000);

/**
 * The segments a profile is in by `identityKey`, `everyone` first. `now` (epoch milliseconds) decides the age band, and
 * `brands` what likes are; all else follows from the profile.
 */
export const segmentsOf = (
  profile: ResolvedProfile,
  now: number,
  brands: Brands,
): ReadonlyMap<string, SegmentIdentity> => {
  const found = new Map<string, SegmentIdentity>();
  collect(found, profile, { now, brands });
  return found;
};

/** The same with the hidden segments: what the index holds of a profile. */
export const indexedSegmentsOf = (
  profile: ResolvedProfile,
  now: number,
  brands: Brands,
): ReadonlyMap<string, IndexedIdentity> => {
  const found = new Map<string, IndexedIdentity>();
  collect(found, profile, { now, brands });
  const { birthday } = profile.fields;
  const month = birthday === null ? undefined : birthMonthOf(birthday);
  if (month) found.set(identityKey(month), month);
  return found;
};

/** Puts the segments of a profile into `found`, which is made once for each of very many profiles. */
const collect = (
  found: { set(key: string, identity: SegmentIdentity): unknown },
  profile: ResolvedProfile,
  { now, brands }: { readonly now: number; readonly brands: Brands },
): void => {
  const add = (segments: readonly Keyed[]): void => {
    for (const [key, identity] of segments) found.set(key, identity);
  };
  add(everyoneOnly);
  for (const { tag } of profile.tags) add(remembered('tag', tag, tagSegment));
  for (const source of profile.sources) add(remembered('source', source, sourceSegment));
  add(ageSegment(profile, now));
  for (const [field, label] of demographicFields) add(demographic(label, profile.fields[field]));
  add(locationSegments(profile));
  for (const page of profile.likes) add(brands.segmentsOf(page));
};

/** The age bands that someone of a birthday was in at some time of a span (epoch milliseconds), by `identityKey`. */
export const bandsBetween = (
  birthday: string,
  from: number,
  to: number,
): ReadonlyMap<string, SegmentIdentity> => {
  const found = new Map<string, SegmentIdentity>();
  for (let age = ageOn(birthday, from); age <= ageOn(birthday, to); age += 1)
    for (const [key, identity] of demographic('Age', ageBand(age))) found.set(key, identity);
  return found;
};

const everyoneOnly = [keyed(everyone)];

/** The segments that a value makes, worked out by `make` unless they are remembered. `what` says what the value is of. */
const remembered = (
  what: string,
  value: string,
  make: (value: string) => readonly SegmentIdentity[],
): readonly Keyed[] => {
  const name = `${what}\n${value}`;
  const known = memory.get(name);
  if (known) return known;
  const made = make(value).map(keyed);
  memory.set(name, made);
  return made;
};

/** A list of one segment, or of none when the value is blank. */
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
  const { birthday } = profile.fields;
  const age = birthday === null ? profile.age : ageOn(birthday, now);
  return age === null ? [] : demographic('Age', ageBand(age));
};

/** One segment per known level: `US` in Location, `TX, US` in Location › US, `Austin, TX, US` in Location › US › TX. */
const locationSegments = ({ country, fields: { state, city } }: ResolvedProfile): readonly Keyed[] => {
  if (country === null && state === null && city === null) return [];
  // No text of a profile holds a NUL.
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
