import { describe, expect, it } from 'vitest';
import type { FieldMap } from '../../shared/imports/mapping/field-map.ts';
import { AT, mapRow } from './map-row.ts';

const column = (name: string) => ({ type: 'source_field' as const, name });
const constant = (value: string) => ({ type: 'constant' as const, value });

/** Maps the cells of one row, whose columns are `c0`, `c1` and so on, to a record. */
const recordOf = async (
  maps: readonly (Omit<FieldMap, 'sources'> & Partial<FieldMap>)[],
  cells: readonly string[],
  tags_mode: 'add' | 'replace' = 'add',
): Promise<unknown> => {
  const field_maps = maps.map((map, index) => ({ sources: [column(`c${index}`)], ...map }));
  const picks = field_maps.map(({ sources }) =>
    sources.flatMap((source) => (source.type === 'source_field' ? [Number(source.name.slice(1))] : [])),
  );
  return (await mapRow(field_maps, cells, { tags_mode, picks })).record;
};

describe('a list is split', () => {
  it.each([
    ['tags', undefined, 'a; b;;c|d', { tags: [{ datetime: AT, tag: ['a', 'b', 'c|d'] }] }],
    ['tags', '|', 'a| b||c;d', { tags: [{ datetime: AT, tag: ['a', 'b', 'c;d'] }] }],
    ['tags', ', ', 'a, b,c', { tags: [{ datetime: AT, tag: ['a', 'b,c'] }] }],
    ['social_likes', '/', '12/34', { social_likes: [{ id: '12' }, { id: '34' }] }],
    ['source', undefined, 'shop, fair', { source: 'shop, fair' }],
    ['source', '|', 'shop| fair|', { source: 'shop,fair' }],
    ['source', '|', ' | ', {}],
  ])('%s at %j: %j', async (target_field, split, cell, record) => {
    expect(await recordOf([{ target_field, ...(split && { split }) }], [cell])).toEqual(record);
  });
});

describe('a constant', () => {
  it('is the same in every row, also beside columns', async () => {
    const maps = [
      { sources: [constant('box office')], target_field: 'source' },
      { sources: [constant('shop'), column('c0'), constant('!')], target_field: 'unique_id' },
      {
        sources: [constant('vip;hall')],
        transformations: [{ name: 'upper' as const }],
        target_field: 'tags',
      },
    ];
    expect(await recordOf(maps, ['17'])).toEqual({
      source: 'box office',
      unique_id: 'shop 17 !',
      tags: [{ datetime: AT, tag: ['VIP', 'HALL'] }],
    });
  });
});

describe('an empty cell with erase', () => {
  const erase = true;

  it('becomes null in every kind of target', async () => {
    const targets = [
      ...['first_name', 'age', 'birthday', 'has_children', 'tags', 'social_likes', 'source'],
      ...['address.city', 'extra_data.note'],
    ];
    const empty = targets.map(() => '');
    expect(
      await recordOf(
        targets.map((target_field) => ({ target_field, erase })),
        empty,
      ),
    ).toEqual({
      ...{ first_name: null, age: null, birthday: null, has_children: null },
      ...{ tags: null, social_likes: null, source: null },
      address: { city: null },
      extra_data: { note: null },
    });
  });

  it('is also a cell that the transformations empty, and a list of separators', async () => {
    const strip = [{ name: 'strip' as const }];
    const drop = [{ name: 'map' as const, values: { a: 'b' }, otherwise: 'drop' as const }];
    const maps = [
      { target_field: 'first_name', erase, transformations: strip },
      { target_field: 'last_name', erase, transformations: drop },
      { target_field: 'tags', erase },
      { target_field: 'city', erase: false },
    ];
    expect(await recordOf(maps, ['  ', 'x', ' ; ', ''])).toEqual({
      first_name: null,
      last_name: null,
      tags: null,
    });
  });

  it('is no cell that has a text, and none that a default fills', async () => {
    const fill = [{ name: 'default' as const, value: 'unknown' }];
    const maps = [
      { target_field: 'first_name', erase },
      { target_field: 'city', erase, transformations: fill },
    ];
    expect(await recordOf(maps, ['Ada', ''])).toEqual({ first_name: 'Ada', city: 'unknown' });
  });

  it('is no cell that a short row lacks', async () => {
    const full = { sources: [column('c0'), column('c1')], target_field: 'full_name', erase };
    expect(await recordOf([full, { target_field: 'first_name', erase }], [''])).toEqual({});
    expect(await recordOf([full, { target_field: 'first_name', erase }], ['', ''])).toEqual({
      full_name: null,
      first_name: null,
    });
  });
});

describe('the tags of a row that replace others', () => {
  const tags = { target_field: 'tags' };

  it.each([
    [['a;b'], { tags_mode: 'replace', tags: [{ datetime: AT, tag: ['a', 'b'] }] }],
    [[''], { tags_mode: 'replace', tags: [] }],
    [[' ; '], { tags_mode: 'replace', tags: [] }],
    [[], { tags_mode: 'replace' }],
  ])('the cells %j become %j', async (cells, record) => {
    expect(await recordOf([tags], cells, 'replace')).toEqual(record);
  });

  it('a column removes tags', async () => {
    expect(await recordOf([{ target_field: 'remove_tags' }], ['a; b'])).toEqual({ remove_tags: ['a', 'b'] });
  });
});
