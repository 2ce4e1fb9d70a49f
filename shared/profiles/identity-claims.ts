/**
 * Identity claims: lead from the identities of people to their profiles. A claim says which profile owns an identity; it
 * leads to that profile through redirects.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { keys, type Key } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { readProfileItems } from './profile-items.ts';
import { parseEntry, type OrdinalEntry } from './stored-profile.ts';
import type { Identity } from './types.ts';
import { storedWithdrawals, type Withdrawal } from './contribution.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { ownersKnownIn } from './known-owners.ts';
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
