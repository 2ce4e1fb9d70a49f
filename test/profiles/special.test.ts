/** Special categories: which values are special, and when a profile must follow another rule. */
import { describe, expect, it } from 'vitest';
import { hasSpecial } from '../../shared/profiles/special.ts';
import { missingRule, needsRule } from '../../shared/ingest/use-rules.ts';
import { mergeStates, stateOf, type LwwRegister } from '../../shared/profiles/profile-state.ts';
import { tiers, type ExtraValue } from '../../shared/profiles/types.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';

const now = Date.parse('2026-05-05T12:00:00Z');
const [on, off] = [{ specialCategories: true }, { specialCategories: false }];

const valueOf = (name: string, value: ExtraValue | null, tier: LwwRegister['tier'] = 1): LwwRegister => ({
  ...{ area: 'value', tier, name, value, stamp: stampOf(now), origin: 'api' },
});

describe('the special values of a state', () => {
  it.each([
    ['ethnicity', 'Elf', true],
    ['ethnicity', null, false],
    ['age', 17, true],
    ['age', 18, false],
    ['age', null, false],
    ['birthday', '2020-01-01', true],
    // The index may still list somebody among the minors who came of age within a month.
    ['birthday', '2008-04-05', true],
    ['birthday', '2008-04-04', false],
    ['birthday', null, false],
    ['gender', 'female', false],
    ['city', 'Elf', false],
  ] as const)('%s %s: %s', (name, value, expected) => {
    const state = stateOf([valueOf('city', 'Ulm'), valueOf(name, value)]);
    expect(hasSpecial(state, now)).toBe(expected);
  });

  it('may be hidden by a tier that counts more', () => {
    const state = stateOf([valueOf('age', 40), valueOf('age', 12, tiers.third_party)]);
    expect(hasSpecial(state, now)).toBe(true);
  });

  it('are no keys of extra data', () => {
    expect(hasSpecial(stateOf([{ ...valueOf('ethnicity', 'Elf'), area: 'extra' }]), now)).toBe(false);
  });
});

describe('the rule that a profile must follow', () => {
  it('is missing once, and taken back only where the categories are used again', () => {
    const plain = stateOf([valueOf('city', 'Ulm')]);
    expect([needsRule(plain, on, now), needsRule(plain, off, now)]).toEqual([false, false]);
    const state = stateOf([valueOf('ethnicity', 'Elf')]);
    expect([needsRule(state, on, now), needsRule(state, off, now)]).toEqual([false, true]);
    expect(missingRule(state, on, { now }).size).toBe(0);
    const ruled = mergeStates(state, missingRule(state, off, { now }));
    expect([needsRule(ruled, on, now), needsRule(ruled, off, now)]).toEqual([true, false]);
    expect([missingRule(ruled, on, { now }).size, missingRule(ruled, off, { now }).size]).toEqual([0, 0]);
  });
});
