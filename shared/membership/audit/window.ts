/** Audit window: compares the membership index with the profiles in a range of ordinals. */
import type { Derivation, DerivationSource } from '../../catalogue/derivation.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { chunkOf, groupOf, keys, offsetInChunk, ORDINALS_PER_CHUNK } from '../../table/keys.ts';
import { readCounter } from '../../table/read-counter.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { Table } from '../../table/table.ts';
import type { SegmentCatalogue } from '../../catalogue/catalogue.ts';
import { membersIn, noBits, setBit, type Bits, readDirectories, offsetsFrom, xor } from '../chunk.ts';
import { indexedSegmentsOf } from '../../catalogue/derive.ts';
import { identityKey } from '../../catalogue/identity.ts';
import type { IndexedIdentity, Pair } from '../../catalogue/types.ts';

/** A range of ordinals whose memberships are compared at once. All are in one group. */
export interface Window {
  readonly property: number;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export interface CompareDeps {
  readonly table: Table;
  readonly derivations: DerivationSource;
  readonly catalogue: Pick<SegmentCatalogue, 'indexed' | 'findIds'>;
}

/** The places where the index seems to differ from the profiles. */
export interface Suspects {
  readonly pairs: readonly Pair[];
  /** Segments with members in the window whose directory lacks the group. */
  readonly directories: readonly number[];
  /** Segments of the index by id. Segments outside the catalogue are absent; they have no members. */
  readonly segments: ReadonlyMap<number, IndexedIdentity>;
  readonly chunks: number;
  /** The number of profiles in the window. */
  readonly profiles: number;
}

/** Segments read at once. */
const PARALLEL = 8;

/** Chunks of a segment by the ordinal of their first bit. */
type Chunks = Map<number, Bits>;

/** Compares every chunk of the index in a window with the profiles. */
export const compare = async (
  deps: CompareDeps,
  window: Window,
  profiles: AsyncIterable<ResolvedProfile>,
  now: number,
): Promise<Suspects> => {
  const derivation = (await deps.derivations.of(window.property)).at(now);
  const { expected, identities, existing } = await expectedOf(profiles, now, derivation);
  const { hidden } = derivation;
  const named = await segmentsInGroup(deps.table, window, hidden.keys());
  const segments = new Map<number, IndexedIdentity>([
    ...hidden,
    ...(await deps.catalogue.indexed(window.property, [...named])),
  ]);
  const ids = await deps.catalogue.findIds(window.property, [...identities.values()]);
  for (const [key, id] of ids) {
    const identity = identities.get(key);
    if (identity) segments.set(id, identity);
  }
  // A condition that is being prepared has not all members, and one that is deleted may have some left.
  const { preparing, dropped } = derivation.conditions;
  const audited = [...new Set([...named, ...ids.values()])].filter(
    (id) => !preparing.has(id) && !dropped.has(id),
  );
  let chunks = 0;
  const pairs = await mapLimited(audited, PARALLEL, async (segment) => {
    const stored = await chunksIn(deps.table, window, segment);
    chunks += stored.size;
    const identity = segments.get(segment);
    const wanted = (identity && expected.get(identityKey(identity))) ?? new Map<number, Bits>();
    const frozen = identity?.type === 'moment';
    return differing(segment, stored, frozen ? withProfile(stored, existing) : wanted);
  });
  const directories = [...ids.values()].filter((id) => !named.has(id) && !preparing.has(id));
  return { pairs: pairs.flat(), directories, segments, chunks, profiles: existing.size };
};

const expectedOf = async (profiles: AsyncIterable<ResolvedProfile>, now: number, derivation: Derivation) => {
  const existing = new Set<number>();
  const expected = new Map<string, Chunks>();
  const identities = new Map<string, IndexedIdentity>();
  for await (const profile of profiles) {
    const { ordinal } = profile;
    existing.add(ordinal);
    for (const [key, identity] of indexedSegmentsOf(profile, now, derivation)) {
      identities.set(key, identity);
      const chunks = expected.get(key) ?? new Map<number, Bits>();
      expected.set(key, chunks);
      const offset = offsetInChunk(ordinal);
      const bits = chunks.get(ordinal - offset) ?? noBits();
      chunks.set(ordinal - offset, bits);
      setBit(bits, offset, true);
    }
  }
  return { expected, identities, existing };
};

/** The expected members of a moment: its stored members whose profiles still exist. */
const withProfile = (stored: Chunks, existing: ReadonlySet<number>): Chunks =>
  new Map(
    [...stored].map(([base, bits]) => {
      const kept = bits.slice();
      for (let offset = 0; offset < ORDINALS_PER_CHUNK; offset += 1)
        if (!existing.has(base + offset)) setBit(kept, offset, false);
      return [base, kept];
    }),
  );

/** Every id that was ever issued, in the catalogue or not, and the hidden segments, whose directory contains the group of a window. */
const segmentsInGroup = async (
  table: Table,
  { property, from }: Window,
  hidden: Iterable<number>,
): Promise<ReadonlySet<number>> => {
  const given = (await readCounter(table, keys.counter(property, 'segment'))) + 1;
  const ids = Array.from({ length: given }, (_, index) => scopedId(property, index + 1));
  const directories = await readDirectories(table, property, [...ids, ...hidden]);
  const group = groupOf(from);
  return new Set([...directories].flatMap(([segment, groups]) => (groups.includes(group) ? [segment] : [])));
};

const chunksIn = async (table: Table, { property, from, to }: Window, segment: number): Promise<Chunks> => {
  const group = groupOf(from);
  const first = keys.chunk(property, segment, group, chunkOf(from));
  const { sk: last } = keys.chunk(property, segment, group, chunkOf(to - 1));
  const { items } = await table.query(first.pk, { from: first.sk, to: last });
  const base = from - offsetInChunk(from) - chunkOf(from) * ORDINALS_PER_CHUNK;
  return new Map(items.map((item) => [base + Number(item.sk) * ORDINALS_PER_CHUNK, membersIn(item)]));
};

const differing = (segment: number, stored: Chunks, wanted: Chunks): readonly Pair[] =>
  [...new Set([...stored.keys(), ...wanted.keys()])].flatMap((base) =>
    offsetsFrom(xor(stored.get(base) ?? noBits(), wanted.get(base) ?? noBits())).map((offset) => ({
      segment,
      ordinal: base + offset,
    })),
  );
