import { describe, expect, it } from 'vitest';
import type { ImportDefinition } from '../../shared/imports/model/import-definition.ts';
import { compileRowMap } from '../../shared/imports/mapping/row-map.ts';
import { parseTarget, supplies } from '../../shared/imports/mapping/field-targets.ts';

type FieldMap = ImportDefinition['mapping_fields']['field_maps'][number];

const definitionOf = (field_maps: FieldMap[]): ImportDefinition => ({
  id: 1,
  property: 1,
  account: 1,
  name: 'd',
  mapping_fields: { required_fields: [], field_maps },
  delimiter: 'comma',
  encoding: 'utf-8',
  attribute_source: 'stated',
  granted_tier: null,
  skip_appends: false,
  test_mode: false,
  file_match_rule: null,
  created: 1,
  revision: 0,
});

/** Maps cells, one source column per target in order, unless told otherwise. */
const map = (targets: readonly Partial<FieldMap>[], cells: readonly string[], picks?: number[][]) =>
  compileRowMap(
    definitionOf(targets.map((target) => ({ sources: [], target_field: 'email', ...target }))),
    picks ?? targets.map((_, index) => [index]),
    '2026-01-15 12:00:00',
  )(cells);

describe('a row becomes a record', () => {
  it('with every kind of target', () => {
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
      map(
        targets.map((target_field) => ({ target_field })),
        cells,
      ),
    ).toEqual({
      ok: true,
      value: {
        email: 'a@x.org',
        age: 42,
        address: { city: 'Austin', state: 'TX' },
        extra_data: { 'a b': '1', c: '2' },
        tags: [{ datetime: '2026-01-15 12:00:00', tag: ['jazz', 'opera'] }],
        social_likes: [{ id: '12' }, { id: '34' }],
        source: 'shop,fair',
      },
    });
  });

  it('without what is empty, missing or nothing but separators', () => {
    const targets = ['email', 'first_name', 'tags', 'address.city', 'extra_data.a', 'last_name'];
    const cells = ['a@x.org', '', ' ; ;', '', ''];
    expect(
      map(
        targets.map((target_field) => ({ target_field })),
        cells,
      ),
    ).toEqual({ ok: true, value: { email: 'a@x.org' } });
  });

  it('from several columns, joined by a space before they are transformed', () => {
    const full = { target_field: 'full_name', transformations: [{ name: 'title' as const }] };
    expect(map([full], ['ann', '', 'lee'], [[0, 1, 2]])).toEqual({
      ok: true,
      value: { full_name: 'Ann Lee' },
    });
    expect(map([full], ['lee', 'ann'], [[1, 0]])).toEqual({ ok: true, value: { full_name: 'Ann Lee' } });
    expect(map([full], ['', ''], [[0, 1]])).toEqual({ ok: true, value: {} });
  });

  it('verbatim unless transformed', () => {
    expect(map([{ target_field: 'first_name' }], [' =1+1 '])).toEqual({
      ok: true,
      value: { first_name: ' =1+1 ' },
    });
  });

  it('leaves it to the rules to refuse an age that is no number', () => {
    expect(map([{ target_field: 'age' }], ['4.5'])).toEqual({ ok: true, value: { age: '4.5' } });
  });

  it('or is refused when a date cannot be read, by the name of the target', () => {
    const born = { target_field: 'extra_data.born', transformations: [{ name: 'date' as const }] };
    expect(map([born], ['03/04/2020'])).toMatchObject({
      ok: false,
      error: { field: 'extra_data.born', code: 'not_a_date' },
    });
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
