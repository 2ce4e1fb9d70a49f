import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../shared/profiles/types.ts';
import type { ImportDefinition } from '../../shared/imports/items/import-definition.ts';
import { parseTarget, supplies } from '../../shared/imports/mapping/field-targets.ts';
import { mapRow } from './map-row.ts';

type FieldMap = ImportDefinition['mapping_fields']['field_maps'][number];

interface Mapped {
  readonly record: unknown;
  readonly unread: readonly Refusal[];
}

/** Maps cells, one source column per target in order, unless told otherwise. */
const map = async (
  targets: readonly Partial<FieldMap>[],
  cells: readonly string[],
  picks = targets.map((_, index) => [index]),
): Promise<Mapped> => {
  const maps = targets.map((target, index) => ({
    sources: (picks[index] ?? []).map((pick) => ({ type: 'source_field' as const, name: `column ${pick}` })),
    target_field: 'email',
    ...target,
  }));
  const { record, unread } = await mapRow(maps, cells, { picks });
  return { record, unread };
};

const mapped = (record: object): Mapped => ({ record, unread: [] });

describe('a row becomes a record', () => {
  it('with every kind of target', async () => {
    const targets = [
      'email',
      'age',
      'address.city',
      'address.state',
      'extra_data.a b',
      'extra_data.c',
      'tags',
      'social_likes',
      'source',
    ];
    const cells = ['a@x.org', '42', 'Austin', 'TX', '1', '2', 'jazz; opera ;', '12;34', 'shop,fair'];
    expect(
      await map(
        targets.map((target_field) => ({ target_field })),
        cells,
      ),
    ).toEqual(
      mapped({
        email: 'a@x.org',
        age: 42,
        address: { city: 'Austin', state: 'TX' },
        extra_data: { 'a b': '1', c: '2' },
        tags: [{ datetime: '2026-01-15 12:00:00', tag: ['jazz', 'opera'] }],
        social_likes: [{ id: '12' }, { id: '34' }],
        source: 'shop,fair',
      }),
    );
  });

  it('without what is empty, missing or nothing but separators', async () => {
    const targets = ['email', 'first_name', 'tags', 'address.city', 'extra_data.a', 'last_name'];
    const cells = ['a@x.org', '', ' ; ;', '', ''];
    expect(
      await map(
        targets.map((target_field) => ({ target_field })),
        cells,
      ),
    ).toEqual(mapped({ email: 'a@x.org' }));
  });

  it('from several columns, joined by a space before they are transformed', async () => {
    const full = { target_field: 'full_name', transformations: [{ name: 'title' as const }] };
    expect(await map([full], ['ann', '', 'lee'], [[0, 1, 2]])).toEqual(mapped({ full_name: 'Ann Lee' }));
    expect(await map([full], ['lee', 'ann'], [[1, 0]])).toEqual(mapped({ full_name: 'Ann Lee' }));
    expect(await map([full], ['', ''], [[0, 1]])).toEqual(mapped({}));
  });

  it('verbatim unless transformed', async () => {
    expect(await map([{ target_field: 'first_name' }], [' =1+1 '])).toEqual(mapped({ first_name: ' =1+1 ' }));
  });

  it('leaves it to the rules to refuse an age that is no number', async () => {
    expect(await map([{ target_field: 'age' }], ['4.5'])).toEqual(mapped({ age: '4.5' }));
  });

  it('or is refused when a date cannot be read, by the name of the target', async () => {
    const born = { target_field: 'extra_data.born', transformations: [{ name: 'date' as const }] };
    expect(await map([born], ['03/04/2020'])).toMatchObject({
      record: {},
      unread: [
        {
          field: 'extra_data.born',
          code: 'not_a_date',
          message: '"03/04/2020" does not say which number is the day: use date_dmy or date_mdy.',
        },
      ],
    });
  });

  it('and its message quotes neither a long text nor a column of social tokens', async () => {
    const born = { target_field: 'birthday', transformations: [{ name: 'date' as const }] };
    const token = { target_field: 'social_token' };
    const error = {
      message: 'The cell is not a date; expected year-month-day, or the month as a word.',
    };
    expect(await map([born], ['secret '.repeat(8)])).toMatchObject({ unread: [error] });
    expect(await map([born, token], ['secret'], [[0], [0]])).toMatchObject({ unread: [error] });
  });
});

describe('an empty cell', () => {
  const fill = { name: 'default' as const, value: 'box office' };

  it('gets the text of the transformation default', async () => {
    const source = { target_field: 'source', transformations: [fill] };
    expect(await map([source, { target_field: 'city' }], ['', ''])).toEqual(mapped({ source: 'box office' }));
  });

  it.each(['        ', ' \t ', '\u00a0', '\u3000\u200b', '\n', ' '.repeat(20_000)])(
    'is also a cell that shows nothing (case %#)',
    async (blank) => {
      const read = [{ name: 'date' as const }];
      const maps = [
        { target_field: 'extra_data.memo' },
        { target_field: 'birthday', transformations: read },
        { target_field: 'source', transformations: [fill] },
        { target_field: 'city', erase: true },
        { target_field: 'consent.email' },
        { target_field: 'age' },
        { target_field: 'tags' },
      ];
      const cells = maps.map(() => blank);
      expect(await map(maps, cells)).toEqual(mapped({ source: 'box office', city: null }));
    },
  );

  it('leaves no gap between the cells of one field', async () => {
    const full = { target_field: 'full_name' };
    expect(await map([full], ['Ann', '   ', 'Lee'], [[0, 1, 2]])).toEqual(mapped({ full_name: 'Ann Lee' }));
  });

  it('is also a cell that transformations leave blank', async () => {
    const replace = [{ name: 'replace' as const, from: 'n/a', to: ' ' }];
    expect(await map([{ target_field: 'city', transformations: replace }], ['n/a'])).toEqual(mapped({}));
  });
});

describe('a record supplies a required field', () => {
  it.each([
    ['zipcode', { zipcode: '1' }, true],
    ['zipcode', { address: { postal_code: '1' } }, true],
    ['address.postal_code', { zipcode: '1' }, true],
    ['address.city', { address: { city: '' } }, false],
    ['city', { address: null }, false],
    ['email', { email: null }, false],
    ['tags', { tags: [] }, false],
    ['tags', { tags: [{}] }, true],
    ['age', { age: 0 }, true],
    ['extra_data.a', { extra_data: { a: false } }, true],
    ['extra_data.a', { extra_data: { b: 1 } }, false],
    ['extra_data.toString', { extra_data: {} }, false],
    ['email', [], false],
  ])('%s from %j: %s', (name, record, expected) => {
    const target = parseTarget(name);
    expect(target && supplies(record, target)).toBe(expected);
  });
});
