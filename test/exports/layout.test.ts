import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedFields } from '../../shared/exports/fields.ts';
import { extraColumns, headerOf, keyCollector } from '../../shared/exports/layout.ts';

const layout = { fields: fixedFields, header: fixedFields, extras: true };
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `key-${index}`);

describe('the columns of field set all', () => {
  test('are the 23 of a lookup, then country, age, source, tags, social_likes, then extra_data, sorted', () => {
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

  test.each([
    [972, 1_000, 'extra_data.key-99'],
    [973, 1_000, 'extra_data'],
    [5_000, 1_000, 'extra_data'],
  ])('of %i keys are %i, the last one %s', (keys, columns, last) => {
    const header = headerOf(layout, extraColumns(names(keys)));
    expect(header).toHaveLength(columns);
    expect(header.at(-1)).toBe(last);
  });

  test('are the same from what the parts remember as from all keys', () => {
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
      }),
      { numRuns: 30 },
    );
  });
});
