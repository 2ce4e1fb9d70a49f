import { emptyState } from '../../shared/profiles/profile-state.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';
import { noRules, rulesOf } from '../../shared/properties/rules.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { bitsOf, encodeChunk, directoryWriter } from '../../shared/membership/chunk.ts';
import { identityKey } from '../../shared/catalogue/identity.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import type { Pair } from '../../shared/catalogue/types.ts';
import { newSegmentIds } from '../../shared/catalogue/segment-items.ts';
import { chunkOf, groupOf, keys, offsetInChunk, type Key } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { unloadedBrands, withoutBrands } from '../support/brands.ts';
import { surfaced, type ProfileSketch } from './profiles.ts';
import { readsOf } from '../support/profile-reads.ts';

export const property = 7;
export const everyone = scopedId(property, 1);

const bytes = (fill: number, length: number): Uint8Array => new Uint8Array(length).fill(fill);

/** The scope of a property with keys of its own. */
export const scopeOf = (id: number): Promise<PropertyScope> =>
  Promise.resolve({
    id,
    rules: rulesOf(noRules),
    keys: {
      uuid: { k1: bytes(id, 16), k2: bytes(id + 1, 16) },
      claims: bytes(id + 2, 32),
      cursors: bytes(id + 3, 32),
      downloads: bytes(id + 4, 32),
      externalIds: bytes(id + 6, 32),
      tokens: bytes(id + 5, 32),
      charts: bytes(id + 6, 32),
    },
  });

/** Puts a moment with these ordinals into a table, in the form that a timeline leaves. */
export const putMoment = async (
  table: MemoryTable,
  name: string,
  ordinals: readonly number[],
): Promise<number> => {
  const [id = 0] = await newSegmentIds(table, property, 1);
  await directoryWriter({ table, pause: () => Promise.resolve() }).ensure(
    property,
    new Map([[id, new Set(ordinals.map(groupOf))]]),
  );
  for (const [base, members] of Map.groupBy(ordinals, (ordinal) => ordinal - offsetInChunk(ordinal)))
    await table.put(keys.chunk(property, id, groupOf(base), chunkOf(base)), {
      members: encodeChunk(bitsOf(members.map(offsetInChunk))),
    });
  await table.put(keys.segment(property, id), { id, type: 'moment', path: [], name });
  return id;
};

/** Profiles in memory with their index in a table: the data behind the pages, without the writing of profiles. */
export class Fixture {
  readonly profiles = new Map<number, ResolvedProfile>();
  /** Operations on the table since the last reset, by name. */
  readonly operations: { readonly name: string; readonly keys: readonly Key[] }[] = [];
  /** Hook ahead of each operation; its error becomes the error of the operation. */
  before: () => void = () => undefined;
  readonly table = new MemoryTable((name, keys) => {
    this.before();
    this.operations.push({ name, keys });
  });
  readonly catalogue = segmentCatalogue({ table: this.table, ...withoutBrands });
  readonly readProfiles = readsOf((ordinal) => this.profiles.get(ordinal));
  readonly membership = membershipIndex({
    table: this.table,
    catalogue: this.catalogue,
    readProfiles: this.readProfiles,
    derivations: unloadedBrands,
    clock: () => Date.UTC(2026, 0, 1),
    pause: () => Promise.resolve(),
  });

  /** The dependencies of a use case. */
  readonly deps = {
    table: this.table,
    catalogue: this.catalogue,
    readProfiles: this.readProfiles,
    random: Math.random,
    profiles: {
      find: (_: unknown, named: object) => {
        const profile = 'ordinal' in named ? this.profiles.get(Number(named.ordinal)) : undefined;
        return Promise.resolve(profile && { profile, state: emptyState });
      },
    },
  };

  /** Creates a moment with these ordinals. */
  moment(name: string, ordinals: readonly number[]): Promise<number> {
    return putMoment(this.table, name, ordinals);
  }

  /** The id of a tag's segment. */
  async tag(name: string): Promise<number> {
    const identity = { type: 'tag', path: ['Tags'], name } as const;
    const ids = await this.catalogue.idsOf(property, [identity]);
    return ids.get(identityKey(identity)) ?? 0;
  }

  /** Replaces these profiles by the sketches (none: no profile), and indexes `everyone` and the named tags. */
  async put(
    sketches: Iterable<readonly [number, ProfileSketch | undefined]>,
    tags: readonly string[],
  ): Promise<void> {
    const segments = [everyone, ...(await Promise.all(tags.map((name) => this.tag(name))))];
    const pairs: Pair[] = [];
    for (const [ordinal, sketch] of sketches) {
      if (sketch) this.profiles.set(ordinal, surfaced(ordinal, sketch));
      else this.profiles.delete(ordinal);
      for (const segment of segments) pairs.push({ segment, ordinal });
    }
    await this.membership.reindex({ id: property }, pairs);
  }
}
