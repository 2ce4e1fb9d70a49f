import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { authHarness, makeAccount, must, beginDeletion } from '../auth/harness.ts';

let harness = authHarness();
beforeEach(() => {
  harness = authHarness();
});

const ended = { profile_months: null, file_days: null, special_categories: 'on', search_names: 'off' };

describe('the rules of a property, which `property set` sets,', () => {
  it('are none at first, change one by one, and end with 0', async () => {
    const { property, account } = await makeAccount(harness, 'demo');
    const shown = async () => must(await harness.run({ command: 'property.show', property }));
    const before = await shown();
    expect(before).toMatchObject({ property, account, ...ended, people_pass: null, files_pass: null });
    const set = (rules: object) => harness.run({ command: 'property.set', property, ...rules });
    must(await set({ profile_months: 24 }));
    expect(must(await set({ special_categories: 'off', file_days: 7, search_names: 'on' }))).toMatchObject({
      ...{ profile_months: 24, file_days: 7, special_categories: 'off', search_names: 'on' },
    });
    expect(await shown()).toMatchObject({ profile_months: 24, file_days: 7, special_categories: 'off' });
    expect((await shown())['people_pass']).toMatch(/^begins 2026-/);
    harness.time.now += limits.rules.settleSeconds * 1_000;
    expect((await shown())['files_pass']).toMatch(/^under way since 2026-/);
    must(await set({ ...ended, profile_months: 0, file_days: 0 }));
    expect(await shown()).toMatchObject(ended);
  });

  it('are refused beyond their bounds, without a rule, and for a property that is not there', async () => {
    const demo = await makeAccount(harness, 'demo');
    const { property } = demo;
    const codeOf = async (command: object) => {
      const answer = await harness.run({ property, ...command });
      return answer.ok ? 'ok' : answer.error.code;
    };
    const { profileMonths, fileDays } = limits.rules;
    for (const rules of [
      {},
      { profile_months: profileMonths.least - 1 },
      { profile_months: profileMonths.most + 1 },
      { file_days: fileDays.least - 1 },
      { file_days: fileDays.most + 1 },
      { file_days: 7.5 },
      { special_categories: 'some' },
      { search_names: 'some' },
    ])
      expect(await codeOf({ command: 'property.set', ...rules })).toBe('invalid');
    expect(await codeOf({ command: 'property.set', file_days: fileDays.most, property: 1_009 })).toBe(
      'unknown_property',
    );
    expect(await codeOf({ command: 'property.show', property: 1_009 })).toBe('unknown_property');
    await beginDeletion(harness, demo);
    expect(await codeOf({ command: 'property.set', file_days: fileDays.most })).toBe('unknown_property');
  });
});
