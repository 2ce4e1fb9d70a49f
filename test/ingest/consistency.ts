import { expect } from 'vitest';
import * as v from 'valibot';
import type { Identity, RecordOutcome } from '../../shared/profiles/types.ts';
import { identityRef } from '../../shared/profiles/identity-claims.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { parseEntry, type OrdinalEntry } from '../../shared/profiles/stored-profile.ts';
import { identitiesOf } from '../../shared/profiles/resolve-profile.ts';
import { PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { MemoryTable } from '../support/memory-table.ts';
import { scope } from '../profiles/harness.ts';

interface Found {
  /** Owners by the partition key of the claim. */
  readonly claims: ReadonlyMap<string, number>;
  /** The time of the last forgetting of an identity's owner. */
  readonly forgotten: ReadonlyMap<string, string>;
  readonly entries: ReadonlyMap<number, OrdinalEntry>;
}

const claimItem = v.object({ ordinal: v.nullable(v.number()), forgotten: v.exactOptional(v.string()) });

/** All claims and profile items of the table, read by the test's own code. */
const everything = (table: Pick<MemoryTable, 'items'>): Found => {
  const claims = new Map<string, number>();
  const forgotten = new Map<string, string>();
  const entries = new Map<number, OrdinalEntry>();
  for (const item of table.items()) {
    if (kindOfKey(item.pk) === 'claim') {
      const claim = v.parse(claimItem, item);
      if (claim.ordinal !== null) claims.set(item.pk, claim.ordinal);
      if (claim.forgotten !== undefined) forgotten.set(item.pk, claim.forgotten);
    }
    if (kindOfKey(item.pk) !== 'profile') continue;
    const block = Number(item.pk.split('#').at(-1));
    entries.set(block * PROFILES_PER_BLOCK + Number(item.sk), parseEntry(item));
  }
  return { claims, forgotten, entries };
};

const endOf = (entries: ReadonlyMap<number, OrdinalEntry>, from: number): number => {
  const seen = new Set<number>();
  let at = from;
  for (let entry = entries.get(at); entry?.kind === 'redirect'; entry = entries.get(at)) {
    expect(seen.has(at), 'redirects end').toBe(false);
    seen.add(at);
    at = entry.to;
  }
  return at;
};

/**
 * The invariants once all writers have ended: every claim leads to a profile with its identity, every identity
 * on a profile is claimed for it and was not forgotten since, no profile has two unique ids. The identities of `dangling`
 * records may have claims that lead to nobody, because their writers gave up.
 */
export const expectConsistent = (
  table: Pick<MemoryTable, 'items'>,
  dangling: readonly AcceptedRecord[] = [],
): void => {
  const loose = new Set(
    dangling.flatMap(({ patch }) => patch.identities.map((identity) => identityRef(scope, identity).key.pk)),
  );
  const found = everything(table);
  const { claims, forgotten, entries } = found;
  for (const [pk, ordinal] of claims) {
    const entry = entries.get(endOf(entries, ordinal));
    const held = entry?.kind === 'profile' ? identitiesOf(entry.state) : [];
    if (!loose.has(pk)) expect(held.map((identity) => identityRef(scope, identity).key.pk)).toContain(pk);
  }
  for (const [ordinal, entry] of entries) {
    if (entry.kind !== 'profile') continue;
    const held = identitiesOf(entry.state);
    expect(held.filter(({ kind }) => kind === 'unique_id').length).toBeLessThan(2);
    for (const identity of held) {
      expect(ownerOf(found, identity)).toBe(ordinal);
      const since = forgotten.get(identityRef(scope, identity).key.pk);
      if (since !== undefined) expect(identity.register.stamp > since, 'given since').toBe(true);
    }
  }
};

/** The invariants of a stored record: its values and its identities, except those in warnings, are on its profile. */
export const expectStored = (
  table: Pick<MemoryTable, 'items'>,
  { patch }: AcceptedRecord,
  outcome: RecordOutcome,
): void => {
  if (outcome.kind === 'refused' || outcome.kind === 'forgotten') throw new Error('the record was not taken');
  const found = everything(table);
  const entry = found.entries.get(outcome.ordinal);
  if (entry?.kind !== 'profile') throw new Error('the record has no profile');
  const lost = outcome.warnings.map(({ detail }) => /^The (\w+)/.exec(detail)?.[1]);
  expect(lost, 'a unique id has one owner').not.toContain('unique_id');
  for (const identity of patch.identities) {
    if (lost.includes(identity.kind)) expect(ownerOf(found, identity)).not.toBe(outcome.ordinal);
    else expect(ownerOf(found, identity)).toBe(outcome.ordinal);
  }
  const names = [...entry.state.values()].filter(({ area }) => area === 'extra').map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining((patch.extra ?? []).map(([key]) => key)));
};

const ownerOf = (
  { claims, entries }: Pick<Found, 'claims' | 'entries'>,
  identity: Identity,
): number | undefined => {
  const claimed = claims.get(identityRef(scope, identity).key.pk);
  return claimed === undefined ? undefined : endOf(entries, claimed);
};
