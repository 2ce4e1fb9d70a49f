/** The rule which records restate a stored profile. */
import { describe, expect, it } from 'vitest';
import { isRestatement } from '../../shared/ingest/restatements.ts';
import { importOrigin, stateOf, tagName, type LwwRegister } from '../../shared/profiles/profile-state.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';

describe('the rule of restatements', () => {
  const of = (job: number, ms: number) =>
    ({ stamp: stampOf(ms), origin: importOrigin(7, job), tier: 1 }) as const;
  const city: LwwRegister = { area: 'value', name: 'city', value: 'Bonn', ...of(1, 1) };
  const stored = stateOf([city]);

  it('takes equal values of one definition only', () => {
    const by = (change: Partial<LwwRegister>) =>
      isRestatement(stored, [stateOf([{ ...city, ...of(2, 2), ...change }])]);
    expect(by({})).toBe(true);
    expect(by({ value: 'Köln' })).toBe(false);
    expect(by({ tier: 2 })).toBe(false);
    expect(by({ origin: importOrigin(8, 2) })).toBe(false);
    expect(by({ origin: 'api' })).toBe(false);
  });

  it('refuses an older identity that would be shown again', () => {
    const address = (name: string): LwwRegister => ({ area: 'identity', name, value: true, ...of(1, 1) });
    const [first, second] = [address('email:a@x.org'), { ...address('email:b@x.org'), ...of(2, 5) }];
    const again = { ...first, ...of(3, 9) };
    expect(isRestatement(stateOf([first, city]), [stateOf([again])])).toBe(true);
    expect(isRestatement(stateOf([first, second]), [stateOf([again])])).toBe(false);
  });

  it('refuses an older consent of another definition that would be shown again', () => {
    const given = (definition: number, text: string): LwwRegister => ({
      ...{
        area: 'consent',
        name: 'email',
        value: [null, 'given', text],
        tier: 1,
        stamp: stampOf(definition),
      },
      origin: importOrigin(definition, definition),
    });
    const [shop, web] = [given(1, 'shop'), given(2, 'web')];
    const again = { ...shop, stamp: stampOf(9), origin: importOrigin(1, 3) };
    expect(isRestatement(stateOf([shop, city]), [stateOf([again])])).toBe(true);
    expect(isRestatement(stateOf([shop, web]), [stateOf([again])])).toBe(false);
  });

  it('takes a hidden value, whatever it is', () => {
    const older = stateOf([{ ...city, ...of(2, 0), value: 'Köln' }]);
    expect(isRestatement(stored, [older])).toBe(true);
  });

  it('refuses a removal that now removes more', () => {
    const removal: LwwRegister = { area: 'untag', name: 'vip', value: true, ...of(1, 1) };
    const tag: LwwRegister = {
      area: 'tag',
      name: tagName('2025-01-01 00:00:00', 'vip'),
      value: true,
      ...of(1, 5),
    };
    expect(isRestatement(stateOf([removal, tag]), [stateOf([{ ...removal, ...of(2, 9) }])])).toBe(false);
  });
});
