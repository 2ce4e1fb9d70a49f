import { identityKinds } from '../table/keys.ts';
import type { Announce } from '../http/api-types.ts';
import type { FoundProfile, ProfileRepository } from './profile-repository.ts';
import type { LookupQuery } from './schemas.ts';
import type { Identity } from './types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { openUuid, sealOrdinal } from './profile-uuid.ts';

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

/** Finds the profile that a query names; undefined when there is none. `announce` hears whom it is about to read. */
export const findProfile = async (
  profiles: Pick<ProfileRepository, 'find'>,
  scope: PropertyScope,
  query: LookupQuery,
  announce?: Announce,
): Promise<FoundProfile | undefined> => {
  const named = lookupKey(scope, query);
  if (!named) return undefined;
  return profiles.find(scope, named, (ordinal) =>
    announce?.({ profile_uuid: sealOrdinal(scope.keys.uuid, ordinal) }),
  );
};
