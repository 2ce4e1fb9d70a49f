import { describe, expect, it } from 'vitest';
import { recordCheck } from '../../shared/imports/rows/check-records.ts';
import type { FieldMap } from '../../shared/imports/mapping/field-map.ts';
import { unmapped } from '../../shared/imports/mapping/row-map.ts';
import { refusedRow } from '../../shared/imports/reports/reported-row.ts';
import { NOW } from '../profiles/harness.ts';
import { ok } from '../../shared/runtime/result.ts';
import { checkRow, mapRow } from './map-row.ts';

type Map = Omit<FieldMap, 'sources'>;

const map = (target_field: string, more: Partial<Map> = {}): Map => ({ target_field, ...more });
const dropped = (target_field: string, more: Partial<Map> = {}): Map =>
  map(target_field, { on_bad_value: 'drop_cell', ...more });
const dmy = [{ name: 'date_dmy' as const }];

/** The German name of a column, as files have it. */
const columns = new Map([
  ['email', 'E-Mail'],
  ['age', 'Alter'],
  ['birthday', 'Geburtsdatum'],
  ['has_children', 'Kinder'],
  ['tags', 'Tags'],
  ['unique_id', 'Kundennr'],
]);

/** Checks one row: the patch and warnings of a valid row, or the report of a refused row. */
const checked = async (maps: readonly Map[], cells: readonly string[], required_fields: string[] = []) => {
  const field_maps = maps.map((each) => ({
    sources: [{ type: 'source_field' as const, name: columns.get(each.target_field) ?? each.target_field }],
    ...each,
  }));
  const outcome = await checkRow(field_maps, cells, required_fields);
  if (outcome.ok) return { attributes: outcome.value.patch.attributes, dropped: outcome.value.warnings };
  const record = await mapRow(field_maps, cells, { required_fields });
  const parsed = { row: 1, line: 2, record: () => ok(record), original: () => '' };
  const { field, column, code, message } = refusedRow(parsed, outcome.error);
  return { field, column, code, message };
};

describe('a fault of a row names its column', () => {
  it.each([
    [
      [map('age')],
      'ca. 50',
      { field: 'age', column: 'Alter', code: 'wrong_type' },
      'Alter (age): Must be a whole number, 0 to 150.',
    ],
    [
      [map('birthday', { transformations: dmy })],
      '31.02.1980',
      { field: 'birthday', column: 'Geburtsdatum', code: 'not_a_date' },
      'Geburtsdatum (birthday): "31.02.1980" is not a day of the calendar; expected day.month.year.',
    ],
    [
      [map('tags')],
      `vip;${'x'.repeat(1_025)}`,
      { field: 'tags', column: 'Tags', code: 'too_long' },
      'Tags (tags), value 2: Must be at most 1024 characters, and has 1025.',
    ],
    [
      [map('has_children')],
      'ja',
      { field: 'has_children', column: 'Kinder', code: 'not_allowed' },
      'Kinder (has_children): Must be yes, no, y, n, true or false. Map other words with the transformation map.',
    ],
    [
      [map(`extra_data.${'k'.repeat(150)}`)],
      'a\u0000b',
      { field: `extra_data.${'k'.repeat(150)}`, code: 'bad_characters' },
      undefined,
    ],
    [
      [map('city')],
      'a\u0000b',
      { field: 'city', column: 'city', code: 'bad_characters' },
      'city: Holds a control character, a broken surrogate or U+FFFD.',
    ],
  ])('%#', async (maps, cell, place, message) => {
    const report = await checked([...maps, map('unique_id')], [cell, '1']);
    expect(report).toMatchObject(message === undefined ? place : { ...place, message });
  });

  it('and the message has all faults of the row', async () => {
    const maps = [map('birthday', { transformations: dmy }), map('email'), map('age'), map('unique_id')];
    expect(await checked(maps, ['gestern', 'at', '-1', ''], ['unique_id'])).toMatchObject({
      code: 'required',
      message: [
        'Kundennr (unique_id): Is required by the import definition, and empty.',
        'E-Mail (email): Is not an e-mail address: it has no "@".',
        'Geburtsdatum (birthday): "gestern" is not a date; expected day.month.year.',
        'Alter (age): Must be a whole number, 0 to 150.',
      ].join(' '),
    });
  });

  it('also those that rules over several fields find in the other cells', async () => {
    const maps = [map('birthday'), map('age'), map('city'), map('address.city'), map('unique_id')];
    expect(await checked(maps, ['2999-01-01', '-1', 'Ulm', 'Bonn', ''])).toMatchObject({
      message: [
        'Alter (age): Must be a whole number, 0 to 150.',
        'Needs a unique_id, an email or a social_id to say whose record it is.',
        'address.city: Differs from city, which is the same attribute.',
        'Geburtsdatum (birthday): Must not lie in the future.',
      ].join(' '),
    });
  });

  it('but a required cell that cannot be read is not also called empty', async () => {
    const maps = [map('unique_id'), map('extra_data.seen', { transformations: dmy })];
    expect(await checked(maps, ['1', 'gestern'], ['extra_data.seen'])).toMatchObject({
      message: 'extra_data.seen: "gestern" is not a date; expected day.month.year.',
    });
  });

  it('but a record of a batch has no column', () => {
    const outcome = recordCheck(
      { mapping_fields: { field_maps: [], required_fields: [] }, not_identities: [] },
      { now: NOW, tier: 1 },
    )(ok(unmapped({ email: 'a@x.org', age: 'ca. 50' })));
    expect(outcome).toMatchObject({ ok: false, error: [{ field: 'age' }] });
    expect(outcome.ok ? [] : outcome.error.filter((fault) => fault.column !== undefined)).toEqual([]);
  });
});

describe('a bad cell that may be dropped', () => {
  it('leaves the row without its value, and warns', async () => {
    const maps = [
      map('unique_id'),
      dropped('age'),
      dropped('birthday', { transformations: dmy }),
      map('city'),
    ];
    expect(await checked(maps, ['1', 'ca. 50', '31.02.1980', 'Ulm'])).toEqual({
      attributes: { city: 'Ulm' },
      dropped: [
        {
          code: 'dropped_cell',
          detail:
            'Geburtsdatum (birthday): "31.02.1980" is not a day of the calendar; expected day.month.year. The cell was dropped.',
          field: 'birthday',
          column: 'Geburtsdatum',
        },
        {
          code: 'dropped_cell',
          detail: 'Alter (age): Must be a whole number, 0 to 150. The cell was dropped.',
          field: 'age',
          column: 'Alter',
        },
      ],
    });
  });

  it('is dropped also if its fault appears only once others are gone', async () => {
    const maps = [map('unique_id'), dropped('age'), dropped('birthday')];
    expect(await checked(maps, ['1', 'ca. 50', '2027-01-01'])).toMatchObject({
      attributes: {},
      dropped: [{ column: 'Alter' }, { column: 'Geburtsdatum' }],
    });
  });

  it.each(['address.city', 'extra_data.note', 'tags'])('may be in %s', async (target) => {
    const bad = target === 'tags' ? 'x'.repeat(1_025) : 'a\u0000b';
    const result = await checked([map('unique_id'), dropped(target)], ['1', bad]);
    expect(result).toMatchObject({ attributes: {}, dropped: [{ code: 'dropped_cell', field: target }] });
  });

  it('drops an identity while another one is left', async () => {
    expect(await checked([map('unique_id'), dropped('email')], ['1', 'unbekannt'])).toMatchObject({
      dropped: [{ code: 'dropped_cell', column: 'E-Mail' }],
    });
  });

  it('refuses the row for the fault of its last identity', async () => {
    expect(await checked([dropped('email'), dropped('age')], ['unbekannt', 'x'])).toEqual({
      field: 'email',
      column: 'E-Mail',
      code: 'not_an_email',
      message: 'E-Mail (email): Is not an e-mail address: it has no "@".',
    });
  });

  it('refuses the row if the field is required', async () => {
    expect(await checked([map('unique_id'), dropped('age')], ['1', 'x'], ['age'])).toMatchObject({
      column: 'Alter',
      code: 'wrong_type',
    });
    expect(
      await checked([map('unique_id'), dropped('city')], ['1', 'a\u0000'], ['address.city']),
    ).toMatchObject({ code: 'bad_characters' });
  });

  it('refuses the row for the faults of other columns alone', async () => {
    const maps = [map('unique_id'), dropped('age'), map('birthday')];
    expect(await checked(maps, ['1', 'x', 'y'])).toMatchObject({
      column: 'Geburtsdatum',
      message: 'Geburtsdatum (birthday): Must be a date such as 1990-05-17.',
    });
  });
});
