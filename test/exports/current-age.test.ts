/** The column `current_age`: the age by which segments decide. */
import { describe, expect, it } from 'vitest';
import { segmentsOf } from '../../shared/catalogue/derive.ts';
import { ruleOf } from '../../shared/catalogue/conditions/rule.ts';
import { cellReader, valueReader } from '../../shared/exports/model/fields.ts';
import { ageBand } from '../../shared/profiles/age.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';
import { DAY_MS } from '../../shared/runtime/clock.ts';
import { holdsFor } from '../catalogue/conditions/holds-for.ts';
import { unloadedIn } from '../support/brands.ts';
import { bodyOf, exportsHarness, type ExportsHarness, profile, PROPERTY, segment } from './harness.ts';
import { bytesOf, columnsOf, fileOf, jobRef, manifestOf, ref, runAll, runNext } from './steps.ts';

const at = (time: string): number => Date.parse(time);
const born = (birthday: string | null, age: number | null = null, more: Partial<ResolvedProfile> = {}) =>
  profile(1, { fields: { email: 'ada@example.org', birthday }, age, ...more });

const cellOf = (person: ResolvedProfile, time: string): string =>
  cellReader('current_age')(person, { seal: String, at: at(time) });

describe('the current age', () => {
  it.each([
    [
      'the birthday, and not a stated age that is wrong',
      born('1950-06-01', 39),
      '2026-06-01T00:00:00Z',
      '76',
    ],
    ['somebody with a stated age and no birthday', born(null, 39), '2026-06-01T00:00:00Z', '39'],
    ['somebody with neither', born(null), '2026-06-01T00:00:00Z', ''],
    ['the day before a birthday, to its last second', born('1980-06-02'), '2026-06-01T23:59:59Z', '45'],
    ['a birthday from its first second on, in UTC', born('1980-06-02'), '2026-06-02T00:00:00Z', '46'],
    ['29 February, on 28 February of another year', born('2000-02-29'), '2026-02-28T23:59:59Z', '25'],
    ['29 February, on 1 March of another year', born('2000-02-29'), '2026-03-01T00:00:00Z', '26'],
    ['29 February, in a leap year', born('2000-02-29'), '2028-02-29T00:00:00Z', '28'],
    ['somebody born today', born('2026-06-01'), '2026-06-01T12:00:00Z', '0'],
    ['a minor whose age is used', born('2010-01-01'), '2026-06-01T00:00:00Z', '16'],
    [
      'a minor whose age is not used',
      born('2010-01-01', 40, { withoutSpecial: true }),
      '2026-06-01T00:00:00Z',
      '',
    ],
    ['a stated minor whose age is not used', born(null, 17, { withoutSpecial: true }), '2026-06-01', ''],
    [
      'an adult of whom no special values are used',
      born(null, 18, { withoutSpecial: true }),
      '2026-06-01',
      '18',
    ],
  ])('is that of %s', (_, person, time, age) => {
    expect(cellOf(person, time)).toBe(age);
    const value = valueReader('current_age')(person, { seal: String, at: at(time) });
    expect(value).toBe(age === '' ? null : Number(age));
  });

  it('never contradicts a condition on the age, or an age band, of the same day', () => {
    const birthdays = [
      null,
      '1940-12-31',
      '1961-01-01',
      '1961-03-01',
      '1996-02-29',
      '2008-02-29',
      '2026-02-28',
    ];
    const limits = [0, 1, 17, 18, 30, 64, 65, 66, 85];
    const weeks = ['2025-12-29', '2026-02-26', '2027-02-26', '2028-02-26'];
    const days = weeks.flatMap((first) => [0, 1, 2, 3, 4, 5, 6].map((n) => at(first) + n * DAY_MS));
    for (const day of days)
      for (const birthday of birthdays)
        for (const withoutSpecial of [false, true]) {
          const person = born(birthday, 65, { withoutSpecial });
          const age = valueReader('current_age')(person, { seal: String, at: day + DAY_MS - 1 });
          const bands = [...segmentsOf(person, day, unloadedIn(PROPERTY)).values()].map(({ name }) => name);
          expect(bands.filter((name) => name.startsWith('Age: '))).toEqual(
            typeof age === 'number' ? [`Age: ${ageBand(age)}`] : [],
          );
          for (const value of limits) {
            const told = { birthday, withoutSpecial, day, value };
            expect({
              ...told,
              holds: holdsFor(ruleOf({ field: 'age', op: 'lt', value }), person, day),
            }).toEqual({
              ...told,
              holds: typeof age === 'number' && age < value,
            });
          }
        }
  });
});

const column = columnsOf('email', 'birthday', 'age', 'current_age');
const people = { ada: born('1980-06-02', 70), bob: profile(2, { fields: { email: 'bob@example.org' } }) };

const begun = async (body: object): Promise<ExportsHarness> => {
  const harness = exportsHarness();
  const { fakes } = harness;
  fakes.profiles.set(1, people.ada);
  fakes.profiles.set(2, people.bob);
  fakes.members.set(segment(2), [1, 2]);
  fakes.now = at('2026-06-01T23:59:00Z');
  bodyOf(await harness.create({ segment: [segment(2)], ...column, ...body }));
  return harness;
};

describe('a file with the current age', () => {
  it('has the ages of the day on which the members were read, whenever it is written', async () => {
    const harness = await begun({});
    const { shards } = await harness.plan(ref);
    harness.fakes.now += DAY_MS;
    for (const { shard } of shards) await harness.part(ref, shard);
    await harness.assemble(ref);
    expect((await fileOf(harness)).rows).toEqual([
      ['email', 'birthday', 'age', 'current_age'],
      ['ada@example.org', '1980-06-02', '70', '45'],
      ['bob@example.org', '', '', ''],
    ]);
    expect(await manifestOf(harness)).toMatchObject({
      columns: ['email', 'birthday', 'age', 'current_age'],
      watermark: '2026-06-01T23:59:00.000Z',
    });
  });

  it('has a number or null in JSON Lines', async () => {
    const harness = await begun({ data_format: 'jsonl' });
    await runAll(harness);
    const lines = (await bytesOf(harness)).toString().trim().split('\n');
    expect(lines).toEqual([
      '{"email":"ada@example.org","birthday":"1980-06-02","age":70,"current_age":45}',
      '{"email":"bob@example.org","birthday":null,"age":null,"current_age":null}',
    ]);
  });

  it('of changes has whoever had a birthday since the file before, and nobody else', async () => {
    const harness = await begun({ scope: 'delta' });
    await runNext(harness, 1);
    harness.fakes.now += DAY_MS;
    await runNext(harness, 2);
    const rows = async (n: number) => (await fileOf(harness, ',', jobRef(n))).rows.slice(1);
    expect((await rows(1))[0]).toEqual(['added', 'ada@example.org', '1980-06-02', '70', '45']);
    expect(await rows(2)).toEqual([['changed', 'ada@example.org', '1980-06-02', '70', '46']]);
    harness.fakes.now += DAY_MS;
    await runNext(harness, 3);
    expect(await rows(3)).toEqual([]);
    harness.fakes.members.set(segment(2), [2]);
    await runNext(harness, 4);
    expect(await rows(4)).toEqual([['removed', 'ada@example.org', '', '', '']]);
  });

  it('hides the age of a minor where special categories are not used', async () => {
    const harness = await begun({});
    harness.fakes.rules = { ...harness.fakes.rules, specialCategories: false };
    harness.fakes.profiles.set(1, born('2010-06-01', 40));
    harness.fakes.profiles.set(2, { ...born('1980-06-01', 17), ordinal: 2 });
    await runAll(harness);
    expect((await fileOf(harness)).rows.slice(1)).toEqual([
      ['ada@example.org', '', '', ''],
      ['ada@example.org', '1980-06-01', '', '46'],
    ]);
  });

  it('is a custom one: no other set of fields has the column', async () => {
    const harness = await begun({ field_set: 'all', custom_result_format: null });
    await runAll(harness);
    const [header] = (await fileOf(harness)).rows;
    expect(header).toContain('age');
    expect(header).not.toContain('current_age');
  });
});
