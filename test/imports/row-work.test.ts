import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { compileRowMap } from '../../shared/imports/mapping/row-map.ts';
import type { FieldMap } from '../../shared/imports/mapping/field-map.ts';
import { readPhone } from '../../shared/imports/mapping/read-phones.ts';
import { rowInWork } from '../../shared/imports/mapping/transformations.ts';
import type { Transformation } from '../../shared/imports/mapping/transformation-schema.ts';
import { importHarness } from './import-harness.ts';
import { definitionOf } from '../support/field-map.ts';

const { row: budget } = limits.work;

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

const column = (name: string): FieldMap['sources'][number] => ({ type: 'source_field', name });

/** Field maps of one column into extra data. */
const maps = (count: number, transformations: Transformation[], sources = [column('x')]): FieldMap[] =>
  times(count, (index) => ({ sources, transformations, target_field: `extra_data.k${index}` }));

const replace = (from: string, to: string): Transformation => ({ name: 'replace', from, to });
const tenfold = times(3, () => replace('a', 'a'.repeat(10)));
const spaced = [...tenfold, replace('a', 'a a a a a ')];
const toList = times(2, () => replace('a', 'a'.repeat(1_000)));
const address = { sources: [column('e')], target_field: 'email' };

/** What a definition makes of a row whose cells are the addresses and `x`: the work that it takes, and the record. */
const mapRow = async (field_maps: FieldMap[], x: string) => {
  const cells = ['a@example.org', x];
  const picks = field_maps.map(({ sources }) =>
    sources.flatMap((source) => (source.type === 'constant' ? [] : [source.name === 'e' ? 0 : 1])),
  );
  const map = await compileRowMap(
    { mapping_fields: { field_maps, required_fields: [] }, tags_mode: 'add' },
    picks,
    '2026-01-15 12:00:00',
  );
  const { work } = rowInWork(cells);
  const took: number[] = [];
  let refusals = 0;
  const mapped = map(cells, {
    take: (amount) => {
      took.push(amount);
      const isEnough = work.take(amount);
      if (!isEnough) refusals += 1;
      return isEnough;
    },
  });
  const most = budget.least + budget.each * cells.join('').length;
  const spent = took.slice(0, took.length - refusals).reduce((sum, amount) => sum + amount, 0);
  return { ...mapped, most, spent, refusals, written: JSON.stringify(mapped.record).length };
};

/** Definitions that multiply a cell, and the cell. */
const multiplied: readonly (readonly [what: string, maps: FieldMap[], cell: string])[] = [
  ['a letter that grows in each of 199 fields', maps(199, tenfold), 'a'],
  [
    'a letter that grows and is capitalised',
    maps(199, [...spaced, ...times(6, () => ({ name: 'title' }) as const)]),
    'a',
  ],
  [
    'a letter that grows and loses invisible characters',
    maps(199, [replace('a', '\u200b'.repeat(1_000)), ...times(9, () => ({ name: 'strip' }) as const)]),
    'a',
  ],
  ['a default in each field', maps(200, [{ name: 'default', value: 'd'.repeat(1_000) }]), ''],
  ['a word of a map in each field', maps(200, [{ name: 'map', values: { a: 'm'.repeat(1_000) } }]), 'a'],
  [
    'the other word of a map in each field',
    maps(200, [{ name: 'map', values: { b: 'c' }, otherwise: { value: 'm'.repeat(1_000) } }]),
    'a',
  ],
  ['a constant in each field', maps(200, [], [{ type: 'constant', value: 'c'.repeat(1_000) }]), ''],
  [
    'ten constants in each field',
    maps(
      200,
      [],
      [
        column('x'),
        ...times(9, (index) => ({ type: 'constant', value: `${index}${'c'.repeat(400)}` }) as const),
      ],
    ),
    'a',
  ],
  ['one cell in each field', maps(200, []), 'x'.repeat(10_000)],
  ['a cell of blanks in each field', maps(499, []), ' '.repeat(1_000_000)],
  [
    'a letter that becomes a list of a million characters',
    [
      {
        sources: [column('x')],
        transformations: [...toList, ...times(8, () => ({ name: 'title' }) as const)],
        target_field: 'tags',
      },
    ],
    'a',
  ],
  [
    'a letter that becomes a list of pages',
    [
      {
        sources: [column('x')],
        transformations: [
          replace('a', 'a1;a2;a3;a4;'),
          replace('a', 'b1;b2;b3;b4;'),
          replace('b', 'c1;c2;c3;c4;'),
          replace('c', 'd1;d2;d3;d4;'),
          replace('d', '1'.repeat(100)),
        ],
        target_field: 'social_likes',
      },
    ],
    'a',
  ],
  ['a telephone number in each field', maps(199, [{ name: 'phone', country: 'DE' }]), '030 901840 77'],
  ['a number of many groups in each field', maps(199, [{ name: 'phone', country: 'DE' }]), '09 '.repeat(12)],
  [
    'a country that each telephone number reads anew',
    [
      { sources: [column('x')], transformations: spaced, target_field: 'country' },
      ...maps(100, [replace('a', '030 901840 77'), { name: 'phone' }]),
    ],
    'a',
  ],
  [
    'ten steps in each of 499 fields',
    maps(
      499,
      times(10, () => ({ name: 'date', timezone: 'Europe/Berlin' }) as const),
    ),
    '1980-06-01T22:00:00Z',
  ],
];

/** Definitions that take much of a row, and no more than people need. */
const honest: readonly (readonly [what: string, maps: FieldMap[], cell: string])[] = [
  ['two steps in each of 200 fields', maps(200, [{ name: 'strip' }, { name: 'title' }]), 'x'.repeat(30)],
  [
    'ten steps of the longest field',
    maps(
      1,
      times(10, () => ({ name: 'lower' }) as const),
    ),
    'x'.repeat(10_000),
  ],
  [
    'ten steps of the longest list',
    [
      {
        sources: [column('x')],
        transformations: times(10, () => ({ name: 'strip' }) as const),
        target_field: 'tags',
      },
    ],
    'tag;'.repeat(250_000),
  ],
  ['30 constants', maps(30, [], [{ type: 'constant', value: 'c'.repeat(100) }]), ''],
  ['ten telephone numbers', maps(10, [{ name: 'phone', country: 'DE' }]), '030 901840 77'],
];

describe('a row that a definition multiplies', () => {
  it.each(multiplied)(
    'is refused when it has cost as much as its size allows: %s',
    async (_, field_maps, cell) => {
      const row = await mapRow([address, ...field_maps], cell);
      expect(row.unread.filter(({ code }) => code === 'too_long')).toMatchObject([{ field: null }]);
      expect(row.spent).toBeLessThanOrEqual(row.most);
      expect(row.written).toBeLessThan(row.most);
      // No field map after the first one without work left is looked at; a telephone number may look up its country.
      expect(row.refusals).toBeLessThan(limits.imports.fieldMaps);
    },
  );

  it.each(honest)('is mapped if it needs no more than people need: %s', async (_, field_maps, cell) => {
    const { unread } = await mapRow([address, ...field_maps], cell);
    expect(unread).toEqual([]);
  });

  it('is refused by itself: the rows beside it are stored, and no cell is dropped instead', async () => {
    const harness = importHarness();
    const field_maps = maps(199, tenfold).map((map) => ({ ...map, on_bad_value: 'drop_cell' }) as const);
    const { id } = await harness.define(definitionOf([address, ...field_maps]));
    const { id: job, counts } = await harness.runFile(id, 'e,x\na@example.org,a\nb@example.org,b\n');
    expect(counts).toMatchObject({ completed: 1, unserializable: 1 });
    expect((await harness.readErrors(id, job)).errors).toMatchObject([
      { row: 1, field: null, code: 'too_long' },
    ]);
  });
});

describe('a cell of many groups of digits', () => {
  it.each(['0301 ', '09 ', '030 90182 ', '02000000 ', '+49 0', '0 0/', '00 '])(
    'such as %j again and again, is looked at a few times and not once for each way to divide it',
    (group) => {
      for (const times of [5, 10, 20, 40, 1_000]) {
        let looks = 0;
        readPhone(group.repeat(times), () => {
          looks += 1;
          // Without a bound, 20 groups took a minute.
          if (looks > 1_000) throw new Error('the cell is divided in too many ways');
          return { country: 'DE' };
        });
        expect(looks).toBeLessThan(1_000);
      }
    },
  );
});
