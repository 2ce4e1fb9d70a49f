/** Exports of a property that does not use special categories. */
import { expect, it } from 'vitest';
import { bodyOf, exportsHarness, profile, segment } from './harness.ts';
import { columnsOf, fileOf, jobRef, runNext } from './steps.ts';

const columns = columnsOf('email', 'ethnicity', 'birthday', 'age');

it('have empty cells from the switch on, and the next delta tells it', async () => {
  const harness = exportsHarness();
  const { fakes } = harness;
  const told = { ethnicity: 'Elf', email: 'p1@example.test', birthday: '2008-06-02' };
  fakes.members.set(segment(2), [1, 2]);
  fakes.profiles.set(1, profile(1, { fields: told, age: 17 }));
  fakes.profiles.set(2, profile(2, { fields: { email: 'p2@example.test', birthday: '1990-01-01' } }));
  fakes.now = Date.parse('2026-06-01T12:00:00Z');
  bodyOf(await harness.create({ segment: [segment(2)], ...columns, scope: 'delta' }));
  const rowsOf = async (n: number): Promise<readonly string[]> => {
    await runNext(harness, n);
    return (await fileOf(harness, ',', jobRef(n))).rows.map((row) => row.join(' '));
  };
  expect(await rowsOf(1)).toEqual([
    'change email ethnicity birthday age',
    'added p1@example.test Elf 2008-06-02 17',
    'added p2@example.test  1990-01-01 ',
  ]);
  fakes.rules = { ...fakes.rules, specialCategories: false };
  fakes.now += 3_600_000;
  const ruled = profile(1, { fields: told, age: 17, withoutSpecial: true, usedSince: fakes.now });
  fakes.profiles.set(1, ruled);
  expect(await rowsOf(2)).toEqual(['change email ethnicity birthday age', 'changed p1@example.test   ']);
  // The 18th birthday.
  fakes.now += 86_400_000;
  fakes.profiles.set(1, { ...ruled, usedSince: fakes.now });
  expect((await rowsOf(3))[1]).toBe('changed p1@example.test  2008-06-02 ');
});
