import { identityKinds } from '../table/keys.ts';
import type { ProfileRepository } from './repository.ts';
import type { LookupQuery } from './schemas.ts';
import type { Identity, SurfacedProfile } from './types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { openUuid } from './uuid.ts';

/** What a query names: an ordinal or an identity. Undefined for a forged UUID, which is told without a read. */
export const namedBy = (
  scope: PropertyScope,
  query: LookupQuery,
): { readonly ordinal: number } | Identity | undefined => {
  if (query.profile_uuid !== undefined) {
    const ordinal = openUuid(scope.keys.uuid, query.profile_uuid);
    return ordinal === undefined ? undefined : { ordinal };
  }
  for (const kind of identityKinds) {
    const value = query[kind];
    if (value !== undefined) return { kind, value };
  }
  return undefined;
};

/** The profile that a query names; undefined when there is none. */
export const findProfile = async (
  profiles: Pick<ProfileRepository, 'findByIdentity' | 'findByOrdinal'>,
  scope: PropertyScope,
  query: LookupQuery,
): Promise<SurfacedProfile | undefined> => {
  const named = namedBy(scope, query);
  if (!named) return undefined;
  return 'ordinal' in named
    ? profiles.findByOrdinal(scope.id, named.ordinal)
    : profiles.findByIdentity(scope, named);
};
