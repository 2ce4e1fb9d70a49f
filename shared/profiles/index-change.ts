import { limits } from '../../lib/config/limits.ts';
import { DAY_SECONDS } from '../runtime/clock.ts';
import { bandsBetween, indexedSegmentsOf } from '../segments/derive.ts';
import type { IndexedIdentity, Pair } from '../segments/types.ts';
import type { Person } from './person.ts';
import { surface } from './surface.ts';

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

/** The memberships that writing these persons may change: segments they enter or leave. `now` decides age bands. */
export const indexChange = async (
  segments: SegmentIds,
  property: number,
  persons: readonly Person[],
  now: number,
): Promise<IndexChange> => {
  const changes = persons.map((person) => ({ person, differing: differing(person, now) }));
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

const none: ReadonlyMap<string, number> = new Map();

/**
 * Segments of the stored profile or of the one to be written, but not of both, by `identityKey`; and with another birthday
 * whatever the old one has lately meant, which the index may not show yet.
 */
const differing = ({ slot, changed }: Person, now: number): ReadonlyMap<string, IndexedIdentity> => {
  if (!changed) return new Map();
  const after = indexedSegmentsOf(changed.after, now);
  if (slot.kind !== 'profile') return after;
  const stored = surface(slot.state, changed.after.ordinal, now);
  const before = indexedSegmentsOf(stored, now);
  const { birthday } = stored.fields;
  const moved = birthday !== null && birthday !== changed.after.fields.birthday;
  return new Map([
    ...[...before].filter(([key]) => !after.has(key)),
    ...[...after].filter(([key]) => !before.has(key)),
    ...(moved ? bandsOf(birthday, slot.updatedAt, now) : []),
  ]);
};

/**
 * The age bands that the index may have a stored profile in: whoever gets another birthday is no more found by the daily
 * job, which may be behind, by the one that moved them on.
 */
export const bandsOf = (birthday: string, updatedAt: number, now: number): ReturnType<typeof bandsBetween> =>
  bandsBetween(birthday, Math.min(updatedAt, now) - BEHIND_MS, now);

const BEHIND_MS = limits.birthdays.behindDays * DAY_SECONDS * 1000;
