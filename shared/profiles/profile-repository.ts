/** Profile repository: reads profiles with their values resolved, for lookups, segments and exports. */
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { followRedirects, identityRef, ownershipOf, readEntries, readClaimsOf } from './identity-claims.ts';
import { nullsOf, resolvedFields, returnedFields } from './fields.ts';
import { peopleAt } from './phone-pointers.ts';
import type { State } from './profile-state.ts';
import { readProfileItems } from './profile-items.ts';
import { readProfile } from './read-profile.ts';
import { parseEntry } from './stored-profile.ts';
import { holdsIdentity, resolveProfile } from './resolve-profile.ts';
import type { Identity, ProfileView, ResolvedProfile } from './types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { sealOrdinal, sealOrdinals } from './profile-uuid.ts';

/** Reads profiles by ordinal, strongly. Ordinals without a profile are absent; they are members of no segment. */
export type ReadProfiles = (
  property: number,
  ordinals: readonly number[],
) => Promise<ReadonlyMap<number, ResolvedProfile>>;

/** Read access to profiles. */
export interface ProfileRepository {
  /** Profiles by ordinal. An ordinal without a profile (never stored, merged into another, forgotten) is absent. */
  readonly readMany: ReadProfiles;
  /** The profile that holds an identity. */
  findByIdentity(scope: PropertyScope, identity: Identity): Promise<ResolvedProfile | undefined>;
  /** The profiles that show a phone number, written as in E.164; at most `limit` candidates are looked at. */
  findByPhone(scope: PropertyScope, phone: string, limit: number): Promise<readonly ResolvedProfile[]>;
  /** The ordinal of the profile that holds an identity. */
  findOwner(scope: PropertyScope, identity: Identity): Promise<number | undefined>;
  /** The profile at an ordinal, with its merge state. */
  readWithState(
    property: number,
    ordinal: number,
  ): Promise<{ readonly profile: ResolvedProfile; readonly state: State } | undefined>;
  /** The profile at an ordinal, or the profile that it was merged into. */
  findByOrdinal(property: number, ordinal: number): Promise<ResolvedProfile | undefined>;
}

/** The repository on the table. */
export const profileRepository = ({ table }: { readonly table: Table }): ProfileRepository => {
  const findByIdentity: ProfileRepository['findByIdentity'] = async (scope, identity) => {
    const ref = identityRef(scope, identity);
    const { claims, entries } = await readClaimsOf(table, scope.id, [ref]);
    const { owner } = ownershipOf(entries, claims.get(ref.key.pk));
    // The profile decides. A claim whose writer died before it stored the profile finds nobody.
    if (owner?.entry.kind !== 'profile' || !holdsIdentity(owner.entry.state, identity)) return undefined;
    return resolveProfile(owner.entry.state, owner.ordinal, owner.entry.updatedAt);
  };
  return {
    readMany: readManyOf(table),
    findByIdentity,
    readWithState: async (property, ordinal) => {
      const entry = parseEntry(await table.get(keys.profile(property, ordinal)));
      if (entry.kind !== 'profile' || isNobody(entry.state)) return undefined;
      return { profile: resolveProfile(entry.state, ordinal, entry.updatedAt), state: entry.state };
    },
    findByPhone: async (scope, phone, limit) => {
      const shown = async (ordinals: readonly number[]) => {
        const found = await readManyOf(table)(scope.id, ordinals);
        return [...found.values()].filter(({ fields }) => fields.phone_number === phone);
      };
      return peopleAt(table, scope, phone, { limit, shown });
    },
    findOwner: async (scope, identity) => (await findByIdentity(scope, identity))?.ordinal,
    findByOrdinal: async (property, wanted) => {
      const { ordinal, entry } = followRedirects(await readEntries(table, property, [wanted]), wanted);
      if (entry.kind !== 'profile' || isNobody(entry.state)) return undefined;
      return resolveProfile(entry.state, ordinal, entry.updatedAt);
    },
  };
};

/** Whether the undo of an import left nothing of a person. The empty profile stays in moments, but no lookup finds it. */
const isNobody = (state: State): boolean => state.size === 0;

const noFields = nullsOf(returnedFields);

/** A profile as the API shows it: the 23 fields. */
export const profileView = (profile: ResolvedProfile, scope: PropertyScope): ProfileView =>
  viewOf(profile, sealOrdinal(scope.keys.uuid, profile.ordinal));

/** Profiles as the API shows them, in their order. */
export const profileViews = (
  profiles: readonly ResolvedProfile[],
  scope: PropertyScope,
): readonly ProfileView[] => {
  const ordinals = profiles.map(({ ordinal }) => ordinal);
  const uuids = sealOrdinals(scope.keys.uuid, ordinals);
  return profiles.map((profile, index) => viewOf(profile, uuids[index] ?? null));
};

const viewOf = ({ fields }: ResolvedProfile, profile_uuid: string | null): ProfileView => {
  const view = { ...noFields, profile_uuid };
  for (const name of resolvedFields) view[name] = fields[name];
  return view;
};

const readManyOf =
  (table: Table): ReadProfiles =>
  async (property, ordinals) => {
    const found = new Map<number, ResolvedProfile>();
    for (const [ordinal, item] of await readProfileItems(table, property, ordinals)) {
      const profile = readProfile(item, ordinal);
      if (profile) found.set(ordinal, profile);
    }
    return found;
  };
