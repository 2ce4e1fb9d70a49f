import { identityKinds } from '../table/keys.ts';
import type { ProfileRepository } from './repository.ts';
import type { LookupQuery } from './schemas.ts';
import type { PropertyScope, SurfacedProfile } from './types.ts';
import { openUuid } from './uuid.ts';

/** The profile that a query names; undefined when there is none. A forged UUID is told without a read. */
export const findProfile = async (
  profiles: Pick<ProfileRepository, 'findByIdentity' | 'findByOrdinal'>,
  scope: PropertyScope,
  query: LookupQuery,
): Promise<SurfacedProfile | undefined> => {
  if (query.profile_uuid !== undefined) {
    const ordinal = openUuid(scope.keys.uuid, query.profile_uuid);
    return ordinal === undefined ? undefined : profiles.findByOrdinal(scope.id, ordinal);
  }
  for (const kind of identityKinds) {
    const value = query[kind];
    if (value !== undefined) return profiles.findByIdentity(scope, { kind, value });
  }
  return undefined;
};
