import { identityKinds } from '../table/keys.ts';
import type { ProfileRepository } from './profile-repository.ts';
import type { LookupQuery } from './schemas.ts';
import type { Identity, ResolvedProfile } from './types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { openUuid } from './profile-uuid.ts';

/** The ordinal or identity in a query. Undefined for a forged UUID, which is detected without a read. */
export const lookupKey = (
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

/** Finds the profile that a query names; undefined when there is none. */
export const findProfile = async (
  profiles: Pick<ProfileRepository, 'findByIdentity' | 'findByOrdinal'>,
  scope: PropertyScope,
  query: LookupQuery,
): Promise<ResolvedProfile | undefined> => {
  const named = lookupKey(scope, query);
  if (!named) return undefined;
  return 'ordinal' in named
    ? profiles.findByOrdinal(scope.id, named.ordinal)
    : profiles.findByIdentity(scope, named);
};
