import { segmentsOf } from '../segments/derive.ts';
import type { Pair, SegmentIdentity } from '../segments/types.ts';
import type { Person } from './person.ts';
import { surface } from './surface.ts';

/** Ids of segments by `identityKey`, made where missing; one that the property has no room for is absent. */
export interface SegmentIds {
  idsOf(property: number, identities: readonly SegmentIdentity[]): Promise<ReadonlyMap<string, number>>;
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
  const distinct = new Map<string, SegmentIdentity>();
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

/** Segments of the stored profile or of the one to be written, but not of both, by `identityKey`. */
const differing = ({ slot, changed }: Person, now: number): ReadonlyMap<string, SegmentIdentity> => {
  if (!changed) return new Map();
  const after = segmentsOf(changed.after, now);
  if (slot.kind !== 'profile') return after;
  const before = segmentsOf(surface(slot.state, changed.after.ordinal, now), now);
  return new Map([
    ...[...before].filter(([key]) => !after.has(key)),
    ...[...after].filter(([key]) => !before.has(key)),
  ]);
};
