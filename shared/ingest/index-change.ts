import { limits } from '../config/limits.ts';
import type { Brands } from '../catalogue/brands.ts';
import { DAY_SECONDS } from '../runtime/clock.ts';
import { bandsBetween, indexedSegmentsOf } from '../catalogue/derive.ts';
import type { IndexedIdentity, Pair } from '../catalogue/types.ts';
import type { Person } from './person.ts';
import type { State } from '../profiles/state.ts';
import { surface } from '../profiles/surface.ts';
import type { Stamp } from '../profiles/types.ts';

/** Ids of segments by `identityKey`, made where missing; one that the property has no room for is absent. */
export interface SegmentIds {
  idsOf(property: number, identities: readonly IndexedIdentity[]): Promise<ReadonlyMap<string, number>>;
}

/** What a batch's profile writes change in the index. */
export interface IndexChange {
  readonly pairs: readonly Pair[];
  /** Persons with a segment that the property has no room for. */
  readonly beyondLimit: ReadonlySet<Person>;
}

/** What decides segments besides the profiles: the time for age bands, and each version of the brands that is in use. */
export interface Deciding {
  readonly now: number;
  readonly brands: readonly Brands[];
  /**
   * Of persons whose records may have been stored before, the stamps of those: what they say is then announced, and asked
   * for room, as if it were not stored yet.
   */
  readonly repeated?: ReadonlyMap<Person, ReadonlySet<Stamp>>;
}

/** The memberships that writing these persons may change: segments they enter or leave. */
export const indexChange = async (
  segments: SegmentIds,
  property: number,
  persons: readonly Person[],
  deciding: Deciding,
): Promise<IndexChange> => {
  const changes = persons.map((person) => ({ person, differing: differing(person, deciding) }));
  const distinct = new Map<string, IndexedIdentity>();
  for (const { differing } of changes) for (const [key, identity] of differing) distinct.set(key, identity);
  const ids = distinct.size === 0 ? none : await segments.idsOf(property, [...distinct.values()]);
  const pairs: Pair[] = [];
  const beyondLimit = new Set<Person>();
  for (const { person, differing } of changes)
    for (const key of differing.keys()) {
      const segment = ids.get(key);
      if (segment === undefined) beyondLimit.add(person);
      else if (person.ordinal !== undefined) pairs.push({ segment, ordinal: person.ordinal });
    }
  return { pairs, beyondLimit };
};

const none: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * Segments of the stored profile or of the one to be written, but not of both, by `identityKey`, of every version; and with
 * another birthday whatever the old one has lately meant, which the index may not show yet.
 */
const differing = (
  person: Person,
  { now, brands, repeated }: Deciding,
): ReadonlyMap<string, IndexedIdentity> => {
  const { slot, changed, state, ordinal = 0 } = person;
  const stamps = repeated?.get(person);
  const own = stamps && slot.kind === 'profile' && hasAny(slot.state, stamps) ? stamps : undefined;
  if (!changed && !own) return none;
  const present = changed?.after ?? surface(state, ordinal, now);
  const stored = slot.kind === 'profile' ? surface(slot.state, ordinal, now) : undefined;
  const [first, ...others] = brands;
  // Most people of an import are new, and there are seldom two versions: all that they are in is all that changes.
  if (!stored && first && others.length === 0) return indexedSegmentsOf(present, now, first);
  const earlier = own ? [stored, surface(without(state, own), ordinal, now)] : [stored];
  const found = new Map<string, IndexedIdentity>();
  for (const version of brands) {
    const after = indexedSegmentsOf(present, now, version);
    for (const profile of earlier) {
      const before = profile ? indexedSegmentsOf(profile, now, version) : none;
      for (const [key, identity] of before) if (!after.has(key)) found.set(key, identity);
      for (const [key, identity] of after) if (!before.has(key)) found.set(key, identity);
    }
  }
  if (!changed) return found;
  const birthday = stored?.fields.birthday ?? null;
  if (slot.kind !== 'profile' || birthday === null || birthday === changed.after.fields.birthday)
    return found;
  for (const [key, identity] of bandsOf(birthday, slot.updatedAt, now)) found.set(key, identity);
  return found;
};

/** Whether records of these stamps left anything in a state. */
const hasAny = (state: State, stamps: ReadonlySet<Stamp>): boolean => {
  for (const { stamp } of state.values()) if (stamps.has(stamp)) return true;
  return false;
};

/** A state less what records of these stamps left in it. */
const without = (state: State, stamps: ReadonlySet<Stamp>): State =>
  new Map([...state].filter(([, { stamp }]) => !stamps.has(stamp)));

/**
 * The age bands that the index may have a stored profile in: whoever gets another birthday is no more found by the daily
 * job, which may be behind, by the one that moved them on.
 */
export const bandsOf = (birthday: string, updatedAt: number, now: number): ReturnType<typeof bandsBetween> =>
  bandsBetween(birthday, Math.min(updatedAt, now) - BEHIND_MS, now);

const BEHIND_MS = limits.birthdays.behindDays * DAY_SECONDS * 1000;
