import { identityKey } from '../../shared/catalogue/identity.ts';
import type { IndexedIdentity } from '../../shared/catalogue/types.ts';

/** Finds segments among those that a harness of profiles has made. */
export const segmentsIn = (ids: ReadonlyMap<string, number>) => ({
  findIds: (_property: number, identities: readonly IndexedIdentity[]) =>
    Promise.resolve(
      new Map(
        identities.flatMap((identity) => {
          const id = ids.get(identityKey(identity));
          return id === undefined ? [] : [[identityKey(identity), id] as const];
        }),
      ),
    ),
});
