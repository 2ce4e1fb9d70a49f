import { describe, expect, it } from 'vitest';
import { differencesOf, placeOf } from '../../client/cli/definitions/difference.ts';
import {
  changeMapping,
  mappingOptionAt,
  mappingRows,
  readDefinition,
} from '../../client/cli/imports/mapping.ts';
import {
  dryRunLines,
  endText,
  jobProgress,
  reasonRows,
  warningLines,
} from '../../client/cli/imports/report.ts';

const suggested = {
  name: 'Visitors',
  delimiter: 'semicolon',
  mapping_fields: {
    required_fields: [],
    field_maps: [
      { sources: [{ type: 'source_field', name: 'E-Mail' }], target_field: 'email' },
      {
        sources: [{ type: 'source_field', name: 'Geb' }],
        target_field: 'birthday',
        transformations: [{ name: 'date_dmy' }],
      },
    ],
  },
};
const definition = readDefinition(suggested) ?? { name: '', mapping_fields: { field_maps: [] } };
const header = ['E-Mail', 'Geb', 'Anrede'];

describe('the mapping of a file', () => {
  const changed = (map: readonly string[], skip: readonly string[] = []) => {
    const result = changeMapping(definition, header, { map, skip });
    return result.ok ? result.value.mapping_fields.field_maps : result.error;
  };

  it('takes other fields for columns, and leaves columns out', () => {
    const [email, birthday] = suggested.mapping_fields.field_maps;
    expect(changed([])).toEqual([email, birthday]);
    expect(changed([], ['Geb'])).toEqual([email]);
    expect(changed(['Geb=extra_data.born', 'Anrede=gender'])).toEqual([
      email,
      { sources: [{ type: 'source_field', name: 'Geb' }], target_field: 'extra_data.born' },
      { sources: [{ type: 'source_field', name: 'Anrede' }], target_field: 'gender' },
    ]);
  });

  it('refuses a change without a column of the file', () => {
    expect(changed(['Name=full_name'])).toBe(
      'The file has no column "Name"; its columns are E-Mail, Geb, Anrede.',
    );
    expect(changed(['=email'])).toBe('Write --map as "column=field", not "=email".');
    expect(changed([], ['Ort'])).toContain('no column "Ort"');
  });

  it('has the option --map for the faults of its changes', () => {
    const optionAt = mappingOptionAt(definition, { map: ['Geb=birthday'] });
    expect(optionAt('/mapping_fields/field_maps/1/target_field')).toBe('--map "Geb=birthday"');
    expect(optionAt('/mapping_fields/field_maps/0/target_field')).toBeUndefined();
    expect(optionAt('/name')).toBeUndefined();
  });

  it('is a table with an example and the reason of each column', () => {
    const columns = [
      { column: 'E-Mail', target_field: 'email', why: ['Its name means email.'] },
      { column: 'Geb', target_field: 'birthday', why: ['Dates.', 'Check them.'] },
      { column: 'Anrede', target_field: 'extra_data.Anrede', why: ['No field has this name.'] },
    ];
    const sample = [
      ['', '1.1.1980', ''],
      ['a@example.org', '2.2.1990', 'Frau'],
    ];
    expect(mappingRows(definition, columns, sample)).toEqual([
      ['E-Mail', 'email', 'a@example.org', 'Its name means email.'],
      ['Geb', 'birthday', '1.1.1980', 'Dates. Check them.'],
      ['Anrede', '(left out)', 'Frau', 'Your choice.'],
    ]);
  });
});

describe('the report of an import', () => {
  it('groups refused rows, the most frequent first', () => {
    const reason = { column: null, field: 'email', code: 'not_an_email', count: 5, example_line: 17 };
    expect(
      reasonRows([
        reason,
        { column: 'Alter', field: 'age', code: 'out_of_range', count: 1_240, example_line: null },
      ]),
    ).toEqual([
      ['Alter', 'age', 'out of range', '1,240', '–'],
      ['–', 'email', 'not an email', '5', '17'],
    ]);
  });

  it('says what each kind of warning means, once', () => {
    const warning = { column: 'A', field: 'age', code: 'dropped_cell', count: 1, example_line: 2 };
    expect(
      warningLines([warning, { ...warning, column: 'B' }, { ...warning, code: 'of a newer service' }]),
    ).toEqual(['dropped cell: the row was stored without this cell.']);
  });

  it('tells what a dry run found', () => {
    const segments = Array.from({ length: 9 }, (_, index) => ({ name: `s${index}` }));
    expect(
      dryRunLines({
        people: { new: 4_120, changed: 301, unchanged: 12 },
        rows: { stored: 4_738, refused: 360, failed: 2 },
        new_segments: { count: 712, segments },
      }),
    ).toEqual([
      '4,738 rows would be stored, 362 refused: 4,120 new people, 301 changed, 12 unchanged.',
      '712 new segments: s0, s1, s2, s3, s4, s5, s6, s7 and 704 more.',
    ]);
  });

  it('shows progress, with the number of rows that the dry run found', () => {
    const counts = { ingested: 1_000, processing: 250, completed: 700, unserializable: 50, failed: 0 };
    expect(jobProgress({ counts, phase: 'reading' }, 5_000, 3_000)).toEqual({
      share: 0.15,
      text: '750 of 5,000 rows  reading the file',
    });
    expect(jobProgress({ counts, phase: 'importing' }, 0, 3_000)).toEqual({
      share: 0.75,
      text: '750 of 1,000 rows  250 rows/s',
    });
    const none = { ...counts, ingested: 0, processing: 0 };
    expect(jobProgress({ counts: none, phase: 'waiting_for_file' }, 0, 0)).toEqual({
      share: 0,
      text: 'waiting for the file',
    });
  });

  it('ends with one sentence', () => {
    const counts = { ingested: 9, processing: 0, completed: 1, unserializable: 5, failed: 3 };
    expect(endText({ counts })).toBe('1 row stored, 8 refused');
    expect(endText({ counts: { ...counts, completed: 9 } }, 7)).toBe('2 rows stored, 8 refused');
    expect(endText({ counts: { ...counts, completed: 9, unserializable: 0, failed: 0 } })).toBe(
      '9 rows stored',
    );
  });
});

describe('the difference of two definitions', () => {
  const places = (wanted: unknown, is: unknown): readonly string[] =>
    differencesOf(wanted, is).map(({ path }) => placeOf(path));

  it('ignores what the service adds', () => {
    expect(places({ name: 'a', list: [{ x: 1 }] }, { id: 7, name: 'a', list: [{ x: 1, y: 2 }] })).toEqual([]);
    expect(places({ webhook_url: null }, {})).toEqual([]);
  });

  it('names each place', () => {
    expect(places({ a: { b: [1, 2, 3] }, c: 1, d: null }, { a: { b: [1, 9] }, d: 'x' })).toEqual([
      'a.b[1]',
      'a.b[2]',
      'c',
      'd',
    ]);
    expect(places({ a: [1] }, { a: [1, 2] })).toEqual(['a[1]']);
    expect(places({ a: [] }, { a: {} })).toEqual(['a']);
  });
});
