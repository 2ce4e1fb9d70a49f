import { keys, PROFILES_PER_BLOCK } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { follow, identityRef, ownershipOf, readSlots, readWorld } from './claims.ts';
import type { State } from './state.ts';
import { slotOf } from './stored.ts';
import { holdsIdentity, surface } from './surface.ts';
import type { Identity, ReturnedProfile, SurfacedProfile } from './types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { sealOrdinal } from './uuid.ts';

/** Profiles as others read them. */
export interface ProfileRepository {
  /** Profiles by ordinal; what is no profile (never stored, merged into another, forgotten) is absent. */
  readMany(property: number, ordinals: readonly number[]): Promise<ReadonlyMap<number, SurfacedProfile>>;
  /** The same by reading whole blocks of neighbours: cheaper when most of them are wanted. */
  readDense(property: number, ordinals: readonly number[]): Promise<ReadonlyMap<number, SurfacedProfile>>;
  /** The profile that holds an identity. */
  findByIdentity(scope: PropertyScope, identity: Identity): Promise<SurfacedProfile | undefined>;
  /** The ordinal of the profile that holds an identity. */
  findOwner(scope: PropertyScope, identity: Identity): Promise<number | undefined>;
  /** The profile at an ordinal, with the state that it surfaces from. */
  readWhole(
    property: number,
    ordinal: number,
  ): Promise<{ readonly profile: SurfacedProfile; readonly state: State } | undefined>;
  /** The profile at an ordinal, or the one it was merged into. */
  findByOrdinal(property: number, ordinal: number): Promise<SurfacedProfile | undefined>;
}

/** Profiles of the table. */
export const profileRepository = ({ table }: { readonly table: Table }): ProfileRepository => {
  const findByIdentity: ProfileRepository['findByIdentity'] = async (scope, identity) => {
    const ref = identityRef(scope, identity);
    const { claims, slots } = await readWorld(table, scope.id, [ref]);
    const { owner } = ownershipOf(slots, claims.get(ref.key.pk));
    // The profile decides: a claim that was made for a write that never came finds nobody.
    if (owner?.slot.kind !== 'profile' || !holdsIdentity(owner.slot.state, identity)) return undefined;
    return surface(owner.slot.state, owner.ordinal, owner.slot.updatedAt);
  };
  return {
    readMany: (property, ordinals) => readMany(table, property, ordinals),
    readDense: (property, ordinals) => readDense(table, property, ordinals),
    findByIdentity,
    readWhole: async (property, ordinal) => {
      const slot = slotOf(await table.get(keys.profile(property, ordinal)));
      if (slot.kind !== 'profile') return undefined;
      return { profile: surface(slot.state, ordinal, slot.updatedAt), state: slot.state };
    },
    findOwner: async (scope, identity) => (await findByIdentity(scope, identity))?.ordinal,
    findByOrdinal: async (property, wanted) => {
      const { ordinal, slot } = follow(await readSlots(table, property, [wanted]), wanted);
      return slot.kind === 'profile' ? surface(slot.state, ordinal, slot.updatedAt) : undefined;
    },
  };
};

/** A profile as the API shows it: the 23 fields. */
export const toReturned = (profile: SurfacedProfile, scope: PropertyScope): ReturnedProfile => ({
  last_name: profile.fields.last_name,
  professional_id: profile.fields.professional_id,
  street: profile.fields.street,
  street2: profile.fields.street2,
  city: profile.fields.city,
  state: profile.fields.state,
  zipcode: profile.fields.zipcode,
  education_level: profile.fields.education_level,
  home_owner_status: profile.fields.home_owner_status,
  ethnicity: profile.fields.ethnicity,
  first_name: profile.fields.first_name,
  full_name: profile.fields.full_name,
  social_id: profile.fields.social_id,
  home_value: profile.fields.home_value,
  has_children: profile.fields.has_children,
  phone_number: profile.fields.phone_number,
  birthday: profile.fields.birthday,
  gender: profile.fields.gender,
  marital_status: profile.fields.marital_status,
  email: profile.fields.email,
  household_income: profile.fields.household_income,
  profile_uuid: sealOrdinal(scope.keys.uuid, profile.ordinal),
  unique_id: profile.fields.unique_id,
});

const readMany: (
  table: Table,
  property: number,
  ordinals: readonly number[],
) => Promise<ReadonlyMap<number, SurfacedProfile>> = async (table, property, ordinals) => {
  const items = await table.getMany(ordinals.map((ordinal) => keys.profile(property, ordinal)));
  const found = new Map<number, SurfacedProfile>();
  ordinals.forEach((ordinal, position) => {
    const slot = slotOf(items[position]);
    if (slot.kind === 'profile') found.set(ordinal, surface(slot.state, ordinal, slot.updatedAt));
  });
  return found;
};

const readDense: typeof readMany = async (table, property, ordinals) => {
  const blocks = Map.groupBy(new Set(ordinals), (ordinal) => Math.floor(ordinal / PROFILES_PER_BLOCK));
  const found = new Map<number, SurfacedProfile>();
  for (const members of blocks.values()) {
    const range = members.map((ordinal) => keys.profile(property, ordinal));
    const sorts = range.map(({ sk }) => sk).sort();
    const [from, to, pk] = [sorts[0], sorts.at(-1), range[0]?.pk];
    if (from === undefined || to === undefined || pk === undefined) continue;
    const { items } = await table.query(pk, { from, to });
    const byKey = new Map(items.map((item) => [item.sk, item]));
    for (const ordinal of members) {
      const slot = slotOf(byKey.get(keys.profile(property, ordinal).sk));
      if (slot.kind === 'profile') found.set(ordinal, surface(slot.state, ordinal, slot.updatedAt));
    }
  }
  return found;
};
