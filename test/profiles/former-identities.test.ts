/** The identities that a profile does not show any more, and which of them it shows. */
import { describe, expect, it } from 'vitest';
import { resolveGroup, resolveProfile, showSameWinners } from '../../shared/profiles/resolve-profile.ts';
import { identityName, stateOf, type LwwRegister } from '../../shared/profiles/profile-state.ts';
import { tiers, type Identity } from '../../shared/profiles/types.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { storedAt } from '../support/stored-at.ts';

const identity = (kind: Identity['kind'], value: string, ms = 1): LwwRegister => ({
  ...{ area: 'identity', tier: tiers.stated, name: identityName(kind, value), value: true },
  ...{ stamp: stampOf(ms), origin: 'api' },
});
const email = (value: string, ms?: number): LwwRegister => identity('email', value, ms);

const group = { tier: tiers.stated, stamp: stampOf(1), origin: 'api' };

describe('former identities', () => {
  const formerOf = (registers: readonly LwwRegister[]) =>
    resolveProfile(stateOf(registers), 0, storedAt(0)).former;

  it('are none where a profile has one of each kind', () => {
    expect(formerOf([email('a@x.org'), identity('unique_id', 'K1')])).toEqual([]);
  });

  it('are those that the newest of their kind hides, in order of their names', () => {
    const registers = [email('c@x.org', 1), email('d@x.org', 9), email('a@x.org', 2)];
    const wanted = [
      { kind: 'email', value: 'a@x.org' },
      { kind: 'email', value: 'c@x.org' },
    ];
    expect(formerOf([...registers, identity('unique_id', 'K1')])).toEqual(wanted);
    expect(formerOf(registers.toReversed())).toEqual(wanted);
  });

  it('are the same where all registers are one group', () => {
    const names = ['email:b@x.org', 'email:c@x.org', 'email:a@x.org', 'unique_id:K1'];
    const shown = resolveGroup({ ...group, identities: names }, 0, storedAt(0));
    expect(shown?.fields).toMatchObject({ email: 'c@x.org', unique_id: 'K1' });
    expect(shown?.former).toEqual([
      { kind: 'email', value: 'a@x.org' },
      { kind: 'email', value: 'b@x.org' },
    ]);
    expect(resolveGroup({ ...group, identities: ['email:a@x.org'] }, 0, storedAt(0))?.former).toEqual([]);
    expect(resolveGroup(group, 0, storedAt(0))?.former).toEqual([]);
  });
});

describe('two states', () => {
  const same = (one: readonly LwwRegister[], other: readonly LwwRegister[]): boolean =>
    showSameWinners(stateOf(one), stateOf(other));

  it('show the same where the newest identity of each kind is the same', () => {
    const [a, b] = [email('a@x.org'), email('b@x.org', 2)];
    expect(same([a, b, identity('unique_id', 'K1')], [identity('unique_id', 'K1', 9), b])).toBe(true);
    expect(same([a, b], [a])).toBe(false);
    expect(same([a, b], [email('a@x.org', 3), b])).toBe(false);
    expect(same([a], [])).toBe(false);
    expect(same([a], [identity('unique_id', 'a@x.org')])).toBe(false);
  });

  it('show the same only with the same consent', () => {
    const consent = (state: string): LwwRegister => ({
      ...{ area: 'consent', tier: tiers.stated, name: 'email', value: [null, state, 'shop'] },
      ...{ stamp: stampOf(1), origin: 'api' },
    });
    expect(same([consent('given')], [consent('given')])).toBe(true);
    expect(same([consent('given')], [consent('withdrawn')])).toBe(false);
    expect(same([consent('given')], [])).toBe(false);
  });
});
