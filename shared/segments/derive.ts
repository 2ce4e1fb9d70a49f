import type { SurfacedProfile } from '../profiles/types.ts';
import { ageBand, ageOn } from './age.ts';
import { everyone, identityKey, segmentName } from './identity.ts';
import type { SegmentIdentity, SegmentType } from './types.ts';

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
 * The segments a profile is in by `identityKey`, `everyone` first. `now` (epoch milliseconds) decides the age band; all
 * else follows from the profile.
 */
export const segmentsOf = (profile: SurfacedProfile, now: number): ReadonlyMap<string, SegmentIdentity> => {
  const found = [
    everyone,
    ...profile.tags.flatMap(({ tag }) => segment('tag', ['Tags'], tag)),
    ...profile.sources.flatMap((source) => segment('source', ['Sources'], source)),
    ...ageSegment(profile, now),
    ...demographicFields.flatMap(([field, label]) => demographic(label, profile.fields[field])),
    ...locationSegments(profile),
    ...profile.likes.flatMap((page) => segment('brand', ['Brands', 'Uncategorised'], page)),
  ];
  return new Map(found.map((identity) => [identityKey(identity), identity]));
};

/** A list of one segment, or of none when the value is blank. */
const segment = (
  type: SegmentType,
  path: readonly string[],
  value: string | null,
): readonly SegmentIdentity[] => {
  const name = segmentName(value);
  return name === undefined ? [] : [{ type, path, name }];
};

const demographic = (label: string, value: string | null): readonly SegmentIdentity[] =>
  segment('demographic', ['Demographics', label], value).map((identity) => ({
    ...identity,
    name: `${label}: ${identity.name}`,
  }));

const ageSegment = (profile: SurfacedProfile, now: number): readonly SegmentIdentity[] => {
  const { birthday } = profile.fields;
  const age = birthday === null ? profile.age : ageOn(birthday, now);
  return age === null ? [] : demographic('Age', ageBand(age));
};

/** One segment per known level: `US` in Location, `TX, US` in Location › US, `Austin, TX, US` in Location › US › TX. */
const locationSegments = (profile: SurfacedProfile): readonly SegmentIdentity[] => {
  const levels = [profile.country, profile.fields.state, profile.fields.city].map(segmentName);
  return levels.flatMap((level, depth) => {
    const known = levels.slice(0, depth + 1).filter((name) => name !== undefined);
    const path = ['Location', ...levels.slice(0, depth).map((name) => name ?? UNKNOWN_PLACE)];
    return level === undefined ? [] : [{ type: 'location', path, name: known.reverse().join(', ') }];
  });
};
