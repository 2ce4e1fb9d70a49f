import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { keys, type Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { slotOf, type Slot } from './stored.ts';
import type { Identity, PropertyScope } from './types.ts';

/** An identity with the key of its claim: the item that says which profile owns it. */
export interface IdentityRef extends Identity {
  readonly key: Key;
}

/** What the table says of some identities: their owners, and what stands at these, redirects followed. */
export interface World {
  /** Ordinal of each claimed identity by the partition key of its claim. */
  readonly claims: ReadonlyMap<string, number>;
  readonly slots: ReadonlyMap<number, Slot>;
}

const claimItem = v.object({ ordinal: v.number() });
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
  const claims = new Map<string, number>();
  (await table.getMany(wanted)).forEach((item) => {
    if (item) claims.set(item.pk, v.parse(claimItem, item).ordinal);
  });
  return { claims, slots: await readSlots(table, property, claims.values()) };
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
