/** Profile repository: reads profiles with their values resolved, for lookups, segments and exports. */
import { keys } from '../table/keys.ts';
import type { Table, StoredItem } from '../table/table.ts';
import { followRedirects, identityRef, parseClaim, readEntries } from './identity-claims.ts';
import { peopleAt } from './read-pointers.ts';
import { ownersKnownIn } from './known-owners.ts';
import { profileItems, ProfileSizes } from './profile-items.ts';
import { parseEntry, parseSlot, registersIn, timesIn, type OrdinalEntry } from './stored-profile.ts';
import { encodedStateIn } from './stored-state.ts';
import { nullsOf, resolvedFields, returnedFields } from './fields.ts';
import { isNobody, type State, stateOf } from './profile-state.ts';
import { holdsIdentity, resolveProfile, resolveGroup } from './resolve-profile.ts';
import type { Identity, ProfileView, ResolvedProfile } from './types.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { WorkBudget } from '../runtime/work-budget.ts';
import { sealOrdinals } from './profile-uuid.ts';

/**
 * Reads profiles by ordinal, strongly, in the order of the ordinals if these ascend or descend. Ordinals without a profile
 * are absent; they are members of no segment. The profiles come one by one, because a thousand of the largest would not
 * fit into the memory of a function: keep only what you need of each. With `work`, the reader ends before the profile
 * whose stored characters are too many for it.
 */
export type ReadProfiles = (
  property: number,
  ordinals: Iterable<number>,
  work?: WorkBudget,
) => AsyncIterable<ResolvedProfile>;

/** A profile with its merge state. */
export interface FoundProfile {
  readonly profile: ResolvedProfile;
  readonly state: State;
}

/**
 * The same profiles by the reads that brought them, for bulk work: a step of some hundred profiles takes one turn of the
 * event loop. A profile is resolved when it is taken, so that no two large ones need be in memory.
 */
export type ReadProfileSteps = (
  property: number,
  ordinals: Iterable<number>,
) => AsyncIterable<Iterable<ResolvedProfile>>;

/** Read access to profiles. */
export interface ProfileRepository {
  /**
   * The profile that holds an identity; or the profile at an ordinal, or the one that it was merged into. `about` hears the
   * ordinal before its profile is read, so that work about the person runs beside the read: the first time it is the right
   * one, unless somebody has just gone, or an identity has just moved.
   */
  find(
    scope: PropertyScope,
    named: Identity | { readonly ordinal: number },
    about?: (ordinal: number) => void,
  ): Promise<FoundProfile | undefined>;
  /** Profiles one by one. An ordinal without a profile (never stored, merged into another, forgotten) is absent. */
  readonly readEach: ReadProfiles;
  readonly readSteps: ReadProfileSteps;
  /** A few profiles at once, by ordinal. */
  readMany(property: number, ordinals: readonly number[]): Promise<ReadonlyMap<number, ResolvedProfile>>;
  /** The profile that holds an identity. */
  findByIdentity(scope: PropertyScope, identity: Identity): Promise<ResolvedProfile | undefined>;
  /** The profiles that show a phone number, written as in E.164; at most `limit` candidates are looked at. */
  findByPhone(scope: PropertyScope, phone: string, limit: number): Promise<readonly ResolvedProfile[]>;
  /** The ordinal of the profile that holds an identity. */
  findOwner(scope: PropertyScope, identity: Identity): Promise<number | undefined>;
  /** The profile at an ordinal, with its merge state. */
  readWithState(property: number, ordinal: number): Promise<FoundProfile | undefined>;
  /** The profile at an ordinal, or the profile that it was merged into. */
  findByOrdinal(property: number, ordinal: number): Promise<ResolvedProfile | undefined>;
}

/** The repository on the table. */
export const profileRepository = ({ table }: { readonly table: Table }): ProfileRepository => {
  const find = findIn(table);
  const findByIdentity: ProfileRepository['findByIdentity'] = async (scope, identity) =>
    (await find(scope, identity))?.profile;
  const sizes = new ProfileSizes();
  const readEach = readEachOf(table, sizes);
  return {
    readEach,
    async *readSteps(property, ordinals) {
      for await (const step of profileItems(table, property, ordinals, sizes)) yield profilesIn(step);
    },
    readMany: async (property, ordinals) => {
      const found = new Map<number, ResolvedProfile>();
      for await (const profile of readEach(property, ordinals)) found.set(profile.ordinal, profile);
      return found;
    },
    find,
    findByIdentity,
    readWithState: async (property, ordinal) =>
      foundAt(ordinal, parseEntry(await table.get(keys.profile(property, ordinal)))),
    findByPhone: async (scope, phone, limit) => {
      const shown = async (ordinals: readonly number[]) => {
        const found: ResolvedProfile[] = [];
        for await (const profile of readEach(scope.id, ordinals))
          if (profile.fields.phone_number === phone) found.push(profile);
        return found;
      };
      return peopleAt(table, scope, phone, { limit, shown });
    },
    findOwner: async (scope, identity) => (await findByIdentity(scope, identity))?.ordinal,
    findByOrdinal: async (property, ordinal) => (await readAt(table, property, ordinal))?.profile,
  };
};

const findIn =
  (table: Table): ProfileRepository['find'] =>
  async (scope, named, about = () => undefined) => {
    const read = (ordinal: number): Promise<FoundProfile | undefined> => {
      about(ordinal);
      return readAt(table, scope.id, ordinal);
    };
    if ('ordinal' in named) return read(named.ordinal);
    // The profile decides, and not how it was found. A claim whose writer died before it stored the profile finds nobody.
    const holding = (found: FoundProfile | undefined): FoundProfile | undefined =>
      found && holdsIdentity(found.state, named) ? found : undefined;
    const { key } = identityRef(scope, named);
    const owners = ownersKnownIn(table);
    const known = owners.of(key);
    const remembered = known === undefined ? undefined : holding(await read(known));
    if (remembered) return remembered;
    owners.drop(key);
    const claimed = parseClaim(await table.get(key))?.ordinal ?? undefined;
    const found = claimed === undefined ? undefined : holding(await read(claimed));
    if (found) owners.note(key, found.profile.ordinal);
    return found;
  };

/** Reads the profile at an ordinal, or the one that it was merged into. */
const readAt = async (table: Table, property: number, wanted: number): Promise<FoundProfile | undefined> => {
  const { ordinal, entry } = followRedirects(await readEntries(table, property, [wanted]), wanted);
  return foundAt(ordinal, entry);
};

const foundAt = (ordinal: number, entry: OrdinalEntry): FoundProfile | undefined =>
  entry.kind === 'profile' && !isNobody(entry.state)
    ? { profile: resolveProfile(entry.state, ordinal, entry), state: entry.state }
    : undefined;

const noFields = nullsOf(returnedFields);

/** What the API shows of a profile: a small part of a large one. */
export type ShownProfile = Pick<ResolvedProfile, 'ordinal' | 'fields'>;

/** Profiles as the API shows them, in their order. */
export const profileViews = (
  profiles: readonly ShownProfile[],
  scope: PropertyScope,
): readonly ProfileView[] => {
  const ordinals = profiles.map(({ ordinal }) => ordinal);
  const uuids = sealOrdinals(scope.keys.uuid, ordinals);
  return profiles.map((profile, index) => profileView(profile, uuids[index] ?? null));
};

/** A profile as the API shows it, with its UUID: the 23 fields. */
export const profileView = (
  { fields }: Pick<ResolvedProfile, 'fields'>,
  profile_uuid: string | null,
): ProfileView => {
  const view = { ...noFields, profile_uuid };
  for (const name of resolvedFields) view[name] = fields[name];
  return view;
};

const readEachOf = (table: Table, sizes: ProfileSizes): ReadProfiles =>
  async function* (property, ordinals, work) {
    for await (const step of profileItems(table, property, ordinals, sizes)) {
      for (const [ordinal, item] of step) {
        const plain = withPlainState(item);
        const { state } = plain;
        if (work?.take(typeof state === 'string' ? state.length : 0) === false) return;
        const profile = readProfile(plain, ordinal);
        if (profile) yield profile;
      }
    }
  };

/** The item with its state as text: work counts the characters that are parsed, however they are stored. */
const withPlainState = (item: StoredItem): StoredItem =>
  item['state'] instanceof Uint8Array ? { ...item, state: encodedStateIn(item['state']) } : item;

function* profilesIn(
  step: Iterable<readonly [ordinal: number, item: StoredItem]>,
): Generator<ResolvedProfile, void> {
  for (const [ordinal, item] of step) {
    const profile = readProfile(item, ordinal);
    if (profile) yield profile;
  }
}

/** The profile in the item at an ordinal; undefined when there is none. */
export const readProfile = (item: StoredItem | undefined, ordinal: number): ResolvedProfile | undefined => {
  if (!item) return undefined;
  const stored = parseSlot(item);
  if (!('state' in stored)) return undefined;
  const { state: groups } = stored;
  const times = timesIn(stored);
  const [first, ...others] = groups;
  const alone = first && others.length === 0 ? resolveGroup(first, ordinal, times) : undefined;
  return alone ?? resolveProfile(stateOf(registersIn(groups)), ordinal, times);
};
