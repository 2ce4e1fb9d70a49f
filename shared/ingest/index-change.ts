/** Index change: computes the memberships that a batch of profile writes may change. */
import { limits } from '../config/limits.ts';
import type { Brands } from '../catalogue/brands.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { bandsBetween, indexedSegmentsOf, ordinaryBands } from '../catalogue/derive.ts';
import type { IndexedIdentity, Pair } from '../catalogue/types.ts';
import type { Person } from './batch-person.ts';
import type { State } from '../profiles/profile-state.ts';
import { resolveProfile } from '../profiles/resolve-profile.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';

/** Ids of segments by `identityKey`; missing segments are created. A segment beyond the property's quota is absent. */
export interface SegmentIds {
  idsOf(property: number, identities: readonly IndexedIdentity[]): Promise<ReadonlyMap<string, number>>;
}

/** The index changes of a batch of profile writes. */
export interface IndexChange {
  readonly pairs: readonly Pair[];
  /** Persons with a segment beyond the property's quota. */
  readonly beyondLimit: ReadonlySet<Person>;
}

/** Everything besides the profiles that decides segments: the time, for age bands, and each brand version in use. */
export interface IndexContext {
  readonly now: number;
  readonly brands: readonly Brands[];
  /**
   * Timestamps of records that may be stored already, by person. Their values are announced, and counted
   * against the quota, as if they were not stored yet.
   */
  readonly repeatedStamps?: ReadonlyMap<Person, ReadonlySet<HybridTimestamp>>;
}

/** The memberships that writing these persons may change: segments that they enter or leave. */
export const indexChange = async (
  segments: SegmentIds,
  property: number,
  persons: readonly Person[],
  context: IndexContext,
): Promise<IndexChange> => {
  const changes = persons.map((person) => ({ person, differing: differing(person, context) }));
  const distinct = new Map<string, IndexedIdentity>();
  for (const { differing } of changes) for (const [key, identity] of differing) distinct.set(key, identity);
  const ids = distinct.size === 0 ? none : await segments.idsOf(property, [...distinct.values()]);
  const pairs: Pair[] = [];
  const beyondLimit = new Set<Person>();
  for (const { person, differing } of changes) {
    for (const key of differing.keys()) {
      const segment = ids.get(key);
      if (segment === undefined) beyondLimit.add(person);
      else if (person.ordinal !== undefined) pairs.push({ segment, ordinal: person.ordinal });
    }
  }
  return { pairs, beyondLimit };
};

const none: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * Segments of either the stored profile or the new one, but not of both, by `identityKey`, under every brand
 * version. A changed birthday adds every recent age band of the old one, because the index may still be behind. So does a
 * change of the use of special categories: whoever makes no segment of minors is in none from then on.
 */
const differing = (
  person: Person,
  { now, brands, repeatedStamps }: IndexContext,
): ReadonlyMap<string, IndexedIdentity> => {
  const { entry, changed, state, ordinal = 0 } = person;
  const stamps = repeatedStamps?.get(person);
  const own = stamps && entry.kind === 'profile' && hasAny(entry.state, stamps) ? stamps : undefined;
  if (!changed && !own) return none;
  const present = changed?.after ?? resolveProfile(state, ordinal, now);
  const stored = entry.kind === 'profile' ? resolveProfile(entry.state, ordinal, now) : undefined;
  const [first, ...others] = brands;
  // Most people of an import are new, and two versions are rare. Then every segment of the profile is a change.
  if (!stored && first && others.length === 0) return indexedSegmentsOf(present, now, first);
  const earlier = own ? [stored, resolveProfile(without(state, own), ordinal, now)] : [stored];
  const found = new Map<string, IndexedIdentity>();
  for (const version of brands) {
    const after = indexedSegmentsOf(present, now, version);
    for (const profile of earlier) {
      const before = profile ? indexedSegmentsOf(profile, now, version) : none;
      for (const [key, identity] of before) if (!after.has(key)) found.set(key, identity);
      for (const [key, identity] of after) if (!before.has(key)) found.set(key, identity);
    }
  }
  if (!changed || !stored || entry.kind !== 'profile') return found;
  for (const [key, identity] of leftBands(stored, changed.after, { updatedAt: entry.updatedAt, now }))
    found.set(key, identity);
  return found;
};

/** The age bands that a stored profile leaves for good because of what is written. */
const leftBands = (
  { fields: { birthday }, withoutSpecial }: ResolvedProfile,
  after: ResolvedProfile,
  { updatedAt, now }: { readonly updatedAt: number; readonly now: number },
): ReadonlyMap<string, IndexedIdentity> => {
  if (birthday === null) return none;
  if (birthday === after.fields.birthday && withoutSpecial === after.withoutSpecial) return none;
  const bands = bandsOf(birthday, updatedAt, now);
  return withoutSpecial ? ordinaryBands(bands) : bands;
};

/** Whether records with these timestamps left anything in a state. */
const hasAny = (state: State, stamps: ReadonlySet<HybridTimestamp>): boolean => {
  for (const { stamp } of state.values()) if (stamps.has(stamp)) return true;
  return false;
};

/**
 * A state without the values of records with these timestamps. Its identities stay: a profile without an identity would
 * be in no segment, and each of its other values would count as new.
 */
const without = (state: State, stamps: ReadonlySet<HybridTimestamp>): State =>
  new Map([...state].filter(([, { area, stamp }]) => area === 'identity' || !stamps.has(stamp)));

/**
 * The age bands that the index may list for a stored profile. Once the birthday changes, the daily job no
 * longer finds the profile by the old birthday, and the job may be behind.
 */
export const bandsOf = (birthday: string, updatedAt: number, now: number): ReturnType<typeof bandsBetween> =>
  bandsBetween(birthday, Math.min(updatedAt, now) - BEHIND_MS, now);

const BEHIND_MS = limits.birthdays.behindDays * DAY_MS;
