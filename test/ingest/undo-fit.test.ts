/** How much of what an undo gives back a profile can hold. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { fittedChange } from '../../shared/ingest/undo-fit.ts';
import { identityName, stateOf, type LwwRegister } from '../../shared/profiles/profile-state.ts';
import { tiers } from '../../shared/profiles/types.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { storedAt } from '../support/stored-at.ts';

const register = (
  area: LwwRegister['area'],
  name: string,
  value: LwwRegister['value'] = true,
): LwwRegister => ({
  ...{ area, tier: tiers.stated, name, value },
  ...{ stamp: stampOf(1), origin: 'api' },
});
const identity = (value: string): LwwRegister => register('identity', identityName('email', value));
const extra = (name: string, bytes: number): LwwRegister => register('extra', name, 'x'.repeat(bytes));

/** The change of a person that an undo gives these registers back. */
const giving = (before: readonly LwwRegister[], given: readonly LwwRegister[]) => ({
  ...{ ordinal: 3, before: stateOf(before), after: stateOf([...before, ...given]) },
  ...{ records: [], restored: given },
});

/** The names of what fits. */
const fitting = (before: readonly LwwRegister[], given: readonly LwwRegister[]) => {
  const { change, isWhole, encoded, after } = fittedChange(giving(before, given), {
    times: storedAt(0),
    rules: { specialCategories: true },
  });
  expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(limits.profiles.itemBytes);
  expect(after.ordinal).toBe(3);
  return { isWhole, names: [...change.after.values()].map(({ name }) => name) };
};

const ann = identity('ann@x.org');
const room = limits.profiles.itemBytes;

describe('what an undo gives back', () => {
  it('comes back whole where it fits', () => {
    const found = fitting([ann], [extra('a', 10), extra('b', 10)]);
    expect(found).toEqual({ isWhole: true, names: [ann.name, 'a', 'b'] });
  });

  it('comes back from the smallest value on where it does not', () => {
    const given = [extra('large', room / 2), extra('small', 5), extra('middle', room / 3), extra('tiny', 2)];
    const found = fitting([ann, extra('own', room / 3)], given);
    expect(found).toEqual({ isWhole: false, names: [ann.name, 'own', 'tiny', 'small', 'middle'] });
  });

  it('has its identities first, however long they are', () => {
    const other = identity(`${'a'.repeat(60)}@x.org`);
    const found = fitting([ann, extra('own', room / 2)], [extra('a', 1), extra('b', room), other]);
    expect(found).toEqual({ isWhole: false, names: [ann.name, 'own', other.name, 'a'] });
  });

  it('leaves everything out where there is no room at all', () => {
    const tags = Array.from({ length: limits.profiles.tags }, (_, n) =>
      register('tag', `2025-01-01 00:00:00${n}`),
    );
    const found = fitting([ann, ...tags], [register('tag', '2025-01-01 00:00:00one more')]);
    expect(found).toEqual({ isWhole: false, names: [ann.name, ...tags.map(({ name }) => name)] });
  });

  it('gives nobody back without an identity', () => {
    const found = fittedChange(giving([], [extra('a', room), identity('b@x.org')]), {
      times: storedAt(0),
      rules: { specialCategories: true },
    });
    expect([...found.change.after.values()].map(({ name }) => name)).toEqual(['email:b@x.org']);
    const nobody = fittedChange(giving([], [extra('a', room), extra('b', room)]), {
      times: storedAt(0),
      rules: { specialCategories: true },
    });
    expect([...nobody.change.after.values()]).toEqual([]);
  });
});
