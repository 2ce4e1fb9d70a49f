/**
 * Identity claims and phone pointers: lead from what people have to their profiles. A claim says which profile owns an
 * identity; it leads to that profile through redirects. A pointer says which profile may show a phone number. It is
 * written before the profile, and the profile decides: a lookup ignores a pointer to a profile that shows another number by
 * now. The profile lists its pointers, so that a forgetting removes them all.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { keys, type Key } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { readProfileItems } from './profile-items.ts';
import { parseEntry, type OrdinalEntry } from './stored-profile.ts';
import { type Identity, tiers } from './types.ts';
import { storedWithdrawals, type Withdrawal } from './contribution.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Pause } from '../runtime/pause.ts';
import { mapLimited } from '../runtime/pool.ts';
import { fewRounds, retryRemaining } from '../runtime/retry.ts';
import { ownersKnownIn } from './known-owners.ts';
import { keyOf, type State } from './profile-state.ts';
import { holdsIdentity } from './resolve-profile.ts';

/** An identity and the key of its claim. The claim is the item that names the owning profile. */
export interface IdentityRef extends Identity {
  readonly key: Key;
}

/** What an objection is about: `storage`: later records are refused, too. Either takes the person out of every use. */
export const objectionScopes = ['storage', 'use'] as const;

/** The objection of whoever has the identity: what it is about, when it was made, and the id of the user who made it. */
export const claimObjection = v.object({
  scope: v.picklist(objectionScopes),
  created: v.number(),
  created_by: v.number(),
});
export type ClaimObjection = Readonly<v.InferOutput<typeof claimObjection>>;

const claimItem = v.object({
  w: v.string(),
  /** Null when the identity is free because its owner was forgotten. */
  ordinal: v.nullable(v.number()),
  /** Timestamp of the newest forgetting of an owner of this identity. */
  forgotten: v.exactOptional(v.string()),
  /** What the newest owner of this identity who went had withdrawn. */
  withdrawn: v.nullish(storedWithdrawals),
  objection: v.nullish(claimObjection),
});

/** A claim as stored. */
export type Claim = Readonly<v.InferOutput<typeof claimItem>>;

/** A consistent read of some claims: the claims themselves and, with redirects followed, the entries at their ordinals. */
export interface ClaimSnapshot {
  /** Claims by their partition key. */
  readonly claims: ReadonlyMap<string, Claim>;
  readonly entries: ReadonlyMap<number, OrdinalEntry>;
}

/** The owner of a claimed identity. */
export interface ClaimOwnership {
  /** The owner, an ordinal with a profile or a provisional ordinal; undefined when the identity is free. */
  readonly owner: { readonly ordinal: number; readonly entry: OwnerEntry } | undefined;
  /** When the last owner was forgotten. Records accepted up to that time belong to that owner. */
  readonly forgotten: HybridTimestamp | undefined;
  /** What the last owner who went had withdrawn. The next owner gets it with the identity. */
  readonly withdrawn: readonly Withdrawal[];
}

/** Looks up the entry at an ordinal: a map, or a snapshot of the table. An ordinal without an entry is empty. */
export interface EntryLookup {
  get(ordinal: number): OrdinalEntry | undefined;
}

/** The entry of a possible owner: a profile, or an ordinal without one yet (provisional). */
export type OwnerEntry = Extract<OrdinalEntry, { kind: 'profile' | 'empty' }>;

/** Reads the item of a claim. `undefined` when the table has no such item. */
export const parseClaim = (item: StoredItem | undefined): Claim | undefined =>
  item && v.parse(claimItem, item);

const hashKeys = new WeakMap<Uint8Array, KeyObject>();

/**
 * The keyed hash of a value of a kind. Values of people enter keys of the table only in this form, so the keys reveal
 * nothing about a person.
 */
export const keyedHash = ({ keys: secrets }: PropertyScope, kind: string, value: string): string => {
  const secret = hashKeys.get(secrets.claims) ?? createSecretKey(secrets.claims);
  hashKeys.set(secrets.claims, secret);
  return createHmac('sha256', secret).update(`${kind}\n${value}`).digest('base64url');
};

/** An identity with the key of its claim. */
export const identityRef = (scope: PropertyScope, { kind, value }: Identity): IdentityRef => ({
  kind,
  value,
  key: keys.claim(scope.id, kind, keyedHash(scope, kind, value)),
});

/** Redirects lead to a profile or to a lower ordinal, so every chain ends. A longer chain means a damaged table. */
const LONGEST_CHAIN = 64;

/**
 * Reads the claims of these identities and the entries of their owners: all at once where this process found all of the
 * identities at one profile last.
 */
export const readClaimsOf = async (
  table: Table,
  property: number,
  refs: readonly IdentityRef[],
): Promise<ClaimSnapshot> => {
  const known = ownersKnownIn(table).ofAll(claimsOf(refs));
  if (known !== undefined) return readClaimsAt(table, property, refs, known);
  const snapshot = await readClaims(table, property, claimsOf(refs));
  noteOwner(table, snapshot, refs);
  return snapshot;
};

/** Reads these claims and the entries of their owners. */
export const readClaims = async (
  table: Table,
  property: number,
  claimKeys: readonly Key[],
): Promise<ClaimSnapshot> => {
  const claims = claimsIn(await table.getMany(claimKeys));
  return { claims, entries: await readEntries(table, property, ownersIn(claims)) };
};

/**
 * Reads claims and the profile at an ordinal in one step, so in no order. The profile counts only if each claim leads to it
 * and it holds each identity: then each claim led to it at the moment when it was read. Otherwise the owners are read
 * after their claims, as writers rely on: a claim may lead to a profile that is about to get the identity, and only what
 * is read later shows that the profile can no longer get it.
 */
const readClaimsAt = async (
  table: Table,
  property: number,
  refs: readonly IdentityRef[],
  ordinal: number,
): Promise<ClaimSnapshot> => {
  const [item, ...items] = await table.getMany([keys.profile(property, ordinal), ...claimsOf(refs)]);
  const [entry, claims] = [parseEntry(item), claimsIn(items)];
  const isOwner = refs.every((ref) => claims.get(ref.key.pk)?.ordinal === ordinal && isHeldIn(entry, ref));
  if (isOwner) return { claims, entries: new Map([[ordinal, entry]]) };
  for (const { key } of refs) ownersKnownIn(table).drop(key);
  return { claims, entries: await readEntries(table, property, ownersIn(claims)) };
};

const claimsOf = (refs: readonly IdentityRef[]): readonly Key[] => [
  ...new Map(refs.map(({ key }) => [key.pk, key])).values(),
];

const claimsIn = (items: readonly (StoredItem | undefined)[]): ReadonlyMap<string, Claim> => {
  const claims = new Map<string, Claim>();
  for (const item of items) {
    const claim = parseClaim(item);
    if (item && claim) claims.set(item.pk, claim);
  }
  return claims;
};

const ownersIn = (claims: ReadonlyMap<string, Claim>): readonly number[] => [
  ...new Set([...claims.values()].flatMap(({ ordinal }) => ordinal ?? [])),
];

const isHeldIn = (entry: OrdinalEntry | undefined, identity: Identity): boolean =>
  entry?.kind === 'profile' && holdsIdentity(entry.state, identity);

/** Remembers the owner of a request about one person. A batch about many would only displace others. */
const noteOwner = (table: Table, { claims, entries }: ClaimSnapshot, refs: readonly IdentityRef[]): void => {
  const [owner, ...others] = ownersIn(claims);
  if (owner === undefined || others.length > 0) return;
  for (const ref of refs) {
    const isFound = claims.has(ref.key.pk) && isHeldIn(entries.get(owner), ref);
    if (isFound) ownersKnownIn(table).note(ref.key, owner);
  }
};

/** The owner of an identity, and the time when the last owner was forgotten. A claim that leads to a tombstone is free. */
export const ownershipOf = (entries: EntryLookup, claim: Claim | undefined): ClaimOwnership => {
  const withdrawn = claim?.withdrawn ?? [];
  if (!claim || claim.ordinal === null) return { owner: undefined, forgotten: claim?.forgotten, withdrawn };
  const { ordinal, entry } = followRedirects(entries, claim.ordinal);
  if (entry.kind !== 'forgotten') return { owner: { ordinal, entry }, forgotten: claim.forgotten, withdrawn };
  const { forgotten = entry.stamp } = claim;
  return {
    owner: undefined,
    forgotten: forgotten > entry.stamp ? forgotten : entry.stamp,
    // The forgetting has not freed the claim yet.
    withdrawn: [...withdrawn, ...(entry.unfinished?.withdrawn ?? [])],
  };
};

/** The entries at these ordinals and at the ordinals that they redirect to. */
export const readEntries = async (
  table: Table,
  property: number,
  ordinals: Iterable<number>,
): Promise<ReadonlyMap<number, OrdinalEntry>> => {
  const entries = new Map<number, OrdinalEntry>();
  let unread = [...new Set(ordinals)];
  for (let hop = 0; unread.length > 0; hop += 1) {
    if (hop === LONGEST_CHAIN) throw new Error('profiles: a chain of redirects does not end');
    const items = await readProfileItems(table, property, unread);
    const found = unread.map((ordinal) => [ordinal, parseEntry(items.get(ordinal))] as const);
    for (const [ordinal, entry] of found) entries.set(ordinal, entry);
    const targets = found.flatMap(([, entry]) => (entry.kind === 'redirect' ? [entry.to] : []));
    unread = [...new Set(targets)].filter((ordinal) => !entries.has(ordinal));
  }
  return entries;
};

/** Follows the redirects from an ordinal to their end. */
export const followRedirects = (
  entries: EntryLookup,
  from: number,
): { readonly ordinal: number; readonly entry: Exclude<OrdinalEntry, { kind: 'redirect' }> } => {
  let ordinal = from;
  for (let hop = 0; hop <= LONGEST_CHAIN; hop += 1) {
    const entry = entries.get(ordinal) ?? { kind: 'empty' };
    if (entry.kind !== 'redirect') return { ordinal, entry };
    ordinal = entry.to;
  }
  throw new Error('profiles: a chain of redirects does not end');
};

/** A number in the form of E.164 with its `+`: a country code and 8 to 15 digits in all. */
export const isPhoneKey = (text: string): boolean => /^\+[1-9]\d{7,14}$/.test(text);

const NAME = 'phone_number';

/** Most pointers of a number that one query reads. */
const POINTERS_PER_QUERY = 100;

/** The phone number that a profile shows: of its most trusted tier with a value. */
const shownPhone = (state: State): string | undefined => {
  for (const tier of Object.values(tiers)) {
    const value = state.get(keyOf('value', tier, NAME))?.value;
    if (typeof value === 'string') return value;
  }
  return undefined;
};

/** The hash of the number that a state shows, if the number has pointers. */
export const phoneHashOf = (scope: PropertyScope, state: State): string | undefined => {
  const phone = shownPhone(state);
  return phone !== undefined && isPhoneKey(phone) ? keyedHash(scope, NAME, phone) : undefined;
};

const pointerKey = (scope: PropertyScope, hash: string, ordinal: number): Key =>
  keys.phonePointer(scope.id, hash, ordinal);

/** The keys of the pointers to a profile. */
export const phonePointersOf = (
  scope: PropertyScope,
  ordinal: number,
  listed: readonly string[],
): readonly Key[] => listed.map((hash) => pointerKey(scope, hash, ordinal));

/** A profile that is about to be written. */
export interface PointedProfile {
  readonly ordinal: number;
  readonly before: State;
  readonly after: State;
  /** Hashes of the numbers from which a pointer leads here. */
  readonly listed: readonly string[];
}

/**
 * Writes the pointers of the numbers that these profiles will show. Returns the longer lists of pointers, by ordinal, which
 * must be stored with the profiles: a forgetting finds by them the pointers of every number that a profile ever showed. A
 * number in another form has no pointer. Idempotent.
 */
export const writePhonePointers = async (
  table: Pick<Table, 'writeMany'>,
  scope: PropertyScope,
  profiles: readonly PointedProfile[],
): Promise<ReadonlyMap<number, readonly string[]>> => {
  const lists = new Map<number, readonly string[]>();
  const writes = profiles.flatMap(({ ordinal, before, after, listed }) => {
    const hash = shownPhone(after) === shownPhone(before) ? undefined : phoneHashOf(scope, after);
    if (hash === undefined || listed.includes(hash)) return [];
    lists.set(ordinal, [...listed, hash]);
    return [{ kind: 'insert', key: pointerKey(scope, hash, ordinal), set: {} } as const];
  });
  if (writes.length > 0) await table.writeMany(writes);
  return lists;
};

/** Profiles that a settling reads at once, each of up to 380 KB. */
const READS_AT_ONCE = 16;

/** A pointer that a refused write of a profile may have left behind. */
export interface LeftPointer {
  readonly ordinal: number;
  readonly hash: string;
}

/** The pointers from a number, at most a page of them. */
export const pointersFrom = async (
  table: Pick<Table, 'query'>,
  scope: PropertyScope,
  hash: string,
): Promise<readonly LeftPointer[]> => {
  const { items } = await table.query(keys.phonePointer(scope.id, hash, 0).pk, { limit: POINTERS_PER_QUERY });
  return items.map(({ sk }) => ({ ordinal: Number(sk), hash }));
};

/**
 * Settles pointers whose profile was not written: lists them at their profile, or removes them when nobody is there any
 * more. Nobody comes back to such an ordinal, so a frozen call may remove them an hour later.
 */
export const settlePointers = async (
  { table, pause }: { readonly table: Table; readonly pause: Pause },
  scope: PropertyScope,
  left: readonly LeftPointer[],
): Promise<void> => {
  const retry = { pause, patience: fewRounds, what: 'profiles: pointers from phone numbers' };
  await retryRemaining(retry, left, async (pending) => {
    const places = pending.map(({ ordinal, hash }) => pointerKey(scope, hash, ordinal));
    const existing = await table.getMany(places);
    const found = pending.filter((_, at) => existing[at] !== undefined);
    const profiles = [...Map.groupBy(found, (one) => one.ordinal)];
    const writes = await mapLimited(profiles, READS_AT_ONCE, async ([ordinal, own]) => {
      const entry = parseEntry(await table.get(keys.profile(scope.id, ordinal)));
      return settlementOf(scope, ordinal, entry, [...new Set(own.map(({ hash }) => hash))]);
    });
    const outcomes = await table.writeMany(writes.flat());
    return outcomes.includes('refused') ? found : [];
  });
};

/** The writes that settle the pointers from these numbers to what is stored at an ordinal. */
const settlementOf = (
  scope: PropertyScope,
  ordinal: number,
  entry: OrdinalEntry,
  hashes: readonly string[],
): readonly Write[] => {
  if (entry.kind === 'empty') return [];
  if (entry.kind !== 'profile')
    return phonePointersOf(scope, ordinal, hashes).map((key) => ({ kind: 'delete', key, expect: {} }));
  const missing = hashes.filter((hash) => !entry.phones.includes(hash));
  if (missing.length === 0) return [];
  const set = { phones: [...entry.phones, ...missing] };
  return [{ kind: 'update', key: keys.profile(scope.id, ordinal), set, expect: { w: entry.w } }];
};

interface PointerSearch<Person> {
  readonly limit: number;
  /** Those at these ordinals who show the number. */
  readonly shown: (ordinals: readonly number[]) => Promise<readonly Person[]>;
}

/**
 * The people who show a number, in the order of their ordinals, `limit` of them at most. A pointer outlives the number, so
 * a page of pointers may lead to nobody. Looks at a thousand pointers at most.
 */
export const peopleAt = async <Person>(
  table: Pick<Table, 'query'>,
  scope: PropertyScope,
  phone: string,
  { limit, shown }: PointerSearch<Person>,
): Promise<readonly Person[]> => {
  const { pk } = keys.phonePointer(scope.id, keyedHash(scope, NAME, phone), 0);
  const found: Person[] = [];
  let after: string | undefined;
  for (let queries = 0; queries < 10; queries += 1) {
    const { items, next } = await table.query(pk, { limit: POINTERS_PER_QUERY, after });
    found.push(...(await shown(items.map(({ sk }) => Number(sk)))));
    if (next === undefined || found.length >= limit) break;
    after = next;
  }
  return found.slice(0, limit);
};
