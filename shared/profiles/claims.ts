import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { keys, type Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { slotOf, type Slot } from './stored.ts';
import type { Identity, Stamp } from './types.ts';
import type { PropertyScope } from '../properties/scope.ts';

/** An identity with the key of its claim: the item that says which profile owns it. */
export interface IdentityRef extends Identity {
  readonly key: Key;
}

const claimItem = v.object({
  w: v.string(),
  /** Null when the identity is free: its owner was forgotten. */
  ordinal: v.nullable(v.number()),
  /** Stamp of the newest forgetting of an owner of this identity. */
  forgotten: v.exactOptional(v.string()),
});
/** A claim as stored. */
export type Claim = Readonly<v.InferOutput<typeof claimItem>>;

/** What the table says of some identities: their owners, and what stands at these, redirects followed. */
export interface World {
  /** Claims of identities by their partition key. */
  readonly claims: ReadonlyMap<string, Claim>;
  readonly slots: ReadonlyMap<number, Slot>;
}

/** What a claim says of its identity. */
export interface Ownership {
  /** Where the claim leads; undefined when the identity is free. */
  readonly owner: { readonly ordinal: number; readonly slot: LivingSlot } | undefined;
  /** When its last owner was forgotten: records accepted by then are of that owner. */
  readonly forgotten: Stamp | undefined;
}

/** What stands at an ordinal that a person may be at. */
export type LivingSlot = Extract<Slot, { kind: 'profile' | 'vacant' }>;

const hashKeys = new WeakMap<Uint8Array, KeyObject>();

/** Identities enter keys only as keyed hashes, so that the table's keys say nothing of the person. */
export const identityRef = (scope: PropertyScope, identity: Identity): IdentityRef => {
  const { kind, value } = identity;
  const secret = hashKeys.get(scope.keys.claims) ?? createSecretKey(scope.keys.claims);
  hashKeys.set(scope.keys.claims, secret);
  const hash = createHmac('sha256', secret).update(`${kind}\n${value}`).digest('base64url');
  return { kind, value, key: keys.claim(scope.id, kind, hash) };
};

/**
 * Redirects lead to a profile or to a lower ordinal, so a chain ends; one longer than this is a damaged table.
 */
const LONGEST_CHAIN = 64;

/** Reads the claims of these identities and what stands at their owners. */
export const readWorld = async (
  table: Table,
  property: number,
  refs: readonly IdentityRef[],
): Promise<World> => {
  const wanted = [...new Map(refs.map(({ key }) => [key.pk, key])).values()];
  return readClaims(table, property, wanted);
};

/** Reads these claims and what stands at their owners. */
export const readClaims = async (
  table: Table,
  property: number,
  claimKeys: readonly Key[],
): Promise<World> => {
  const claims = new Map<string, Claim>();
  (await table.getMany(claimKeys)).forEach((item) => {
    if (item) claims.set(item.pk, v.parse(claimItem, item));
  });
  const owners = [...claims.values()].flatMap(({ ordinal }) => (ordinal === null ? [] : [ordinal]));
  return { claims, slots: await readSlots(table, property, owners) };
};

/** Who owns an identity, and when its last owner was forgotten. A claim that leads to a tombstone is free. */
export const ownershipOf = (slots: World['slots'], claim: Claim | undefined): Ownership => {
  if (!claim || claim.ordinal === null) return { owner: undefined, forgotten: claim?.forgotten };
  const { ordinal, slot } = follow(slots, claim.ordinal);
  if (slot.kind !== 'forgotten') return { owner: { ordinal, slot }, forgotten: claim.forgotten };
  const { forgotten = slot.stamp } = claim;
  return { owner: undefined, forgotten: forgotten > slot.stamp ? forgotten : slot.stamp };
};

/** What stands at these ordinals and, where they redirect, at the ordinals behind. */
export const readSlots = async (
  table: Table,
  property: number,
  ordinals: Iterable<number>,
): Promise<ReadonlyMap<number, Slot>> => {
  const slots = new Map<number, Slot>();
  let unread = [...new Set(ordinals)];
  for (let hop = 0; unread.length > 0; hop += 1) {
    if (hop === LONGEST_CHAIN) throw new Error('profiles: a chain of redirects does not end');
    const items = await table.getMany(unread.map((ordinal) => keys.profile(property, ordinal)));
    const found = items.map(slotOf);
    unread.forEach((ordinal, position) => slots.set(ordinal, found[position] ?? { kind: 'vacant' }));
    const targets = found.flatMap((slot) => (slot.kind === 'redirect' ? [slot.to] : []));
    unread = [...new Set(targets)].filter((ordinal) => !slots.has(ordinal));
  }
  return slots;
};

/** Where the redirects from an ordinal end, and what stands there. */
export const follow = (
  slots: ReadonlyMap<number, Slot>,
  from: number,
): { readonly ordinal: number; readonly slot: Exclude<Slot, { kind: 'redirect' }> } => {
  let ordinal = from;
  for (let hop = 0; hop <= LONGEST_CHAIN; hop += 1) {
    const slot = slots.get(ordinal) ?? { kind: 'vacant' };
    if (slot.kind !== 'redirect') return { ordinal, slot };
    ordinal = slot.to;
  }
  throw new Error('profiles: a chain of redirects does not end');
};
