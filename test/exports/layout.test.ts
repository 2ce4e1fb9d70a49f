import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { fixedFields } from '../../shared/exports/model/fields.ts';
import { extraColumns, headerOf, keyCollector } from '../../shared/exports/file/layout.ts';
import { fileOf, runAll } from './steps.ts';
import { bodyOf, exportsHarness, profile, segment } from './harness.ts';

const layout = { fields: fixedFields, header: fixedFields, extras: true };
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `key-${index}`);

describe('the columns of field set all', () => {
  it('are the 23 of a lookup, then country, age, source, tags, social_likes, then extra_data, sorted', () => {
    const header = headerOf(layout, extraColumns(['b', 'a', 'b', 'Z']));
    expect(header.slice(0, 23)).toEqual(fixedFields.slice(0, 23));
    expect(header.slice(23)).toEqual([
      'country',
      'age',
      'source',
      'tags',
      'social_likes',
      'extra_data.Z',
      'extra_data.a',
      'extra_data.b',
    ]);
  });

  it.each([
    [972, 1_000, 'extra_data.key-99'],
    [973, 1_000, 'extra_data'],
    [5_000, 1_000, 'extra_data'],
  ])('of %i keys are %i, the last one %s', (keys, columns, last) => {
    const header = headerOf(layout, extraColumns(names(keys)));
    expect(header).toHaveLength(columns);
    expect(header.at(-1)).toBe(last);
  });

  it('hold every key: those past the last column share it, as JSON', async () => {
    const harness = exportsHarness();
    const columns = limits.exports.columns - fixedFields.length;
    const key = (n: number): string => `k${String(n).padStart(4, '0')}`;
    const extraOf = (from: number, to: number): Record<string, number> =>
      Object.fromEntries(
        names(to)
          .slice(from)
          .map((_, n) => [key(from + n), from + n] as const),
      );
    const extra = { ...extraOf(columns, columns + 2), ...extraOf(0, columns) };
    harness.fakes.profiles.set(1, profile(1, { extra }));
    harness.fakes.profiles.set(2, profile(2, { extra: { [key(0)]: 'a' } }));
    harness.fakes.members.set(segment(2), [1, 2]);
    bodyOf(await harness.create({ segment: [segment(2)] }));
    await runAll(harness);
    const [header = [], ...rows] = (await fileOf(harness)).rows;
    expect(header.slice(-2)).toEqual([`extra_data.${key(columns - 2)}`, 'extra_data']);
    expect(rows.map((row) => row.slice(-2))).toEqual([
      [String(columns - 2), JSON.stringify(extraOf(columns - 1, columns + 2))],
      ['', ''],
    ]);
    expect(rows.map((row) => row[fixedFields.length])).toEqual(['0', 'a']);
  });

  it('are the same from the keys that the parts keep as from all keys', () => {
    const keys = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 8 }), {
      maxLength: 9_000,
      size: 'max',
    });
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 5 }), (all, parts) => {
        const merged = keyCollector();
        for (let part = 0; part < parts; part += 1) {
          const collector = keyCollector();
          for (let index = part; index < all.length; index += parts) collector.add(all[index] ?? '');
          for (const key of collector.smallest()) merged.add(key);
        }
        expect(extraColumns(merged.smallest())).toEqual(extraColumns(all));
        expect(merged.smallest().length).toBeLessThanOrEqual(limits.exports.columns);
      }),
      { numRuns: 30 },
    );
  });
});
