import { identityKey } from '../../shared/catalogue/identity.ts';
import type { SegmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import type { IndexedIdentity } from '../../shared/catalogue/types.ts';

// Brands are never deleted, so the fake segments need no items for references.
const brand = { type: 'brand', path: ['Brands'], name: 'a' } as const;
const allOf = (ids: Iterable<number>) => [...ids].map((id) => ({ ...brand, id }));

/** The segments of a test. */
export interface FakeSegments {
  /** The members of each segment by its id. */
  readonly members: Map<number, readonly number[]>;
  /** Ids of value segments by name. */
  readonly named: Map<string, number>;
  /** Whether the property has no room for more segments. */
  isFull?: boolean;
}

/** A catalogue of the segments of a test. Those with members are brands. */
export const fakeCatalogue = (
  fakes: FakeSegments,
): Pick<SegmentCatalogue, 'find' | 'findIds' | 'getMany' | 'hasRoom' | 'list'> => {
  const { members, named } = fakes;
  return {
    hasRoom: () => Promise.resolve(fakes.isFull !== true),
    find: (_, name) => Promise.resolve({ items: name === brand.name ? allOf(members.keys()) : [] }),
    findIds: (_: number, identities: readonly IndexedIdentity[]) =>
      Promise.resolve(
        new Map(
          identities.flatMap((one) => {
            const id = named.get(one.name);
            return id === undefined ? [] : [[identityKey(one), id] as const];
          }),
        ),
      ),
    getMany: (_, ids) =>
      Promise.resolve(
        new Map(allOf(ids).flatMap((one) => (members.has(one.id) ? [[one.id, one] as const] : []))),
      ),
    list: () => Promise.resolve({ items: allOf(members.keys()) }),
  };
};
