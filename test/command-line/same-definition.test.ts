import { describe, expect, it } from 'vitest';
import { isGrave, otherValueLines, otherValues } from '../../client/src/imports/compare-readings.ts';
import { seriesOf } from '../../client/src/imports/names.ts';
import { matchOf, type StoredDefinition } from '../../client/src/imports/same-definition.ts';
import { born, email, header, mapOf, nothing, title, withMaps, type FieldMap } from './visitors.ts';

describe('the name of a definition', () => {
  it.each([
    ['visitors.csv', 'visitors'],
    ['buyers-units.tsv', 'buyers-units'],
    ['visitors-2026-11-26.csv.gz', 'visitors'],
    ['visitors_20261126.TXT', 'visitors'],
    ['visitors 26.11.2026.csv', 'visitors'],
    ['visitors-20261126T0930Z.csv', 'visitors'],
    ['2026-11-26 visitors.csv', 'visitors'],
    ['visitors (1).csv', 'visitors'],
    ['visitors - Kopie (2).csv', 'visitors'],
    ['Copy of visitors.csv', 'visitors'],
    ['sales-q1.csv', 'sales'],
    ['members KW 48.csv', 'members'],
    ['a-2026-12-03.csv', 'a'],
    ['q1.csv', 'q1'],
    ['visitors.csv.txt', 'visitors'],
    ['2026-11-26.csv', '2026-11-26'],
    ['.csv', 'csv'],
    ['Новые 2026.csv', 'Новые'],
  ])('of the file %s is %s', (file, name) => {
    expect(seriesOf(file)).toBe(name);
  });
});

describe('the definition of a file', () => {
  const stored = (id: number, name: string, maps: FieldMap[], more: object = {}): StoredDefinition => ({
    ...withMaps(...maps),
    ...{ id, name },
    ...more,
  });
  const wanted = (maps: FieldMap[], more: object = {}) => ({
    ...{ fileName: 'Visitors-2026-11-26.csv', header, filled: header, targets: nothing, stated: [] },
    definition: withMaps(...maps),
    ...more,
  });
  const found = (all: readonly StoredDefinition[], maps: FieldMap[], more: object = {}) => {
    const match = matchOf(all, wanted(maps, more));
    return match && [match.stored.id, match.isSame, ...match.differences];
  };

  it('is found by its mapping, whatever its name and its settings', () => {
    const settings = { tags_mode: 'replace', webhook_url: 'https://a.example', max_new_segments: null };
    expect(found([stored(1, 'guests', [title, email], settings)], [email, title])).toEqual([1, true]);
    expect(found([], [email])).toBeUndefined();
  });

  it('is rather one with the name of the file, and then one with the same mapping', () => {
    const other = mapOf('Geb', 'birthday', { transformations: [{ name: 'date_iso' }] });
    const all = [
      stored(3, 'b', [email, other]),
      stored(2, 'a', [email, born]),
      stored(1, 'visitors 2', [email, other]),
    ];
    expect(found(all, [email, born])).toEqual([2, true]);
    expect(found([...all, stored(0, 'Visitors', [email, other])], [email, born])).toEqual([0, false]);
  });

  it('may fill more, or fields that are empty this week', () => {
    const more = [email, born, mapOf('Anrede', 'gender')];
    expect(found([stored(1, 'a', more)], [email, born, title])).toEqual([
      1,
      false,
      'It reads "Anrede" into gender instead of extra_data.Anrede.',
    ]);
    expect(
      found([stored(1, 'a', [email, born, title])], [email, born], { filled: ['E-Mail', 'Geb'] }),
    ).toEqual([1, true]);
  });

  it('tells columns of one name apart, if the file has several', () => {
    const first = { ...title, sources: [{ type: 'source_field', name: 'Anrede', occurrence: 1 }] };
    const twice = { header: [...header, 'Anrede'] };
    expect(found([stored(1, 'a', [email, born, title])], [email, born, first], twice)).toBeUndefined();
    expect(found([stored(1, 'a', [email, born, first])], [email, born, first], twice)).toEqual([1, true]);
    expect(found([stored(1, 'a', [email, born, first])], [email, born, title])?.[0]).toBe(1);
  });

  it('leaves out a column of the file only under the name of the file', () => {
    expect(found([stored(1, 'a', [email, born])], [email, born, title])).toBeUndefined();
    expect(found([stored(1, 'Visitors 3', [email, born])], [email, born, title])).toEqual([
      1,
      false,
      'It leaves out "Anrede".',
    ]);
    expect(found([stored(1, 'Visitors', [email])], [email, born, title])).toBeUndefined();
  });

  it('is told what nobody should be, if it takes that for people', () => {
    const all = [stored(1, 'a', [email, born], { not_identities: ['NULL'] })];
    const suggested = { ...withMaps(email, born), not_identities: ['null', 'n/a'] };
    expect(matchOf(all, { ...wanted([]), definition: suggested })?.nobodies).toEqual(['n/a']);
  });

  it.each<readonly [string, FieldMap[], object, object]>([
    ['reads a column that the file lacks', [email, mapOf('Ort', 'city')], {}, {}],
    ['reads a column into another field', [email, mapOf('Geb', 'extra_data.Geb')], {}, {}],
    ['knows nobody', [born], {}, {}],
    ['is for files of another name', [email, born], { file_match_rule: 'members*.csv' }, {}],
    ['does not do what the user says', [email, born], {}, { targets: new Map([['Geb', null]]) }],
    [
      'has not what the user states',
      [email, born],
      { encoding: 'auto' },
      { stated: ['delimiter', 'encoding'] },
    ],
  ])('is none that %s', (_, maps, settings, more) => {
    expect(found([stored(1, 'a', maps, settings)], [email, born], more)).toBeUndefined();
  });

  it.each([
    ['*', true],
    ['Visitors-????-*-26.csv', true],
    ['Visitors*csv', true],
    ['visitors*', false],
    ['*.tsv', false],
    ['Visitors-2026-11-26.csv', true],
    ['?Visitors*', false],
    ['*-*-*-*-*', false],
  ])('has a rule for names of files: %s', (file_match_rule, fits) => {
    expect(found([stored(1, 'a', [email, born], { file_match_rule })], [email, born]) !== undefined).toBe(
      fits,
    );
  });
});

describe('two readings of a file', () => {
  const own = [{ row: 1, record: { email: 'a@x.org', birthday: '1990-04-03', extra_data: { n: '1' } } }];
  const fields = new Set(['email', 'birthday', 'city', 'extra_data.n', 'extra_data.m']);
  const read = (record: Record<string, unknown> | null) => otherValues(own, [{ row: 1, record }], fields);

  it('differ in values, and in what only the suggestion reads', () => {
    expect(read({ email: 'a@x.org', birthday: '1990-04-03' })).toEqual([]);
    const [other, ...others] = read({
      email: 'a@x.org',
      birthday: '1990-03-04',
      extra_data: { n: 1 },
      city: 'Bonn',
      street: 'not filled by the definition',
    });
    expect([other && isGrave(other), ...others.map(isGrave)]).toEqual([true, false, true]);
    expect(otherValueLines([...(other ? [other] : []), ...others])).toEqual([
      'Row 1: it reads "1990-04-03" into birthday; the file looks like "1990-03-04".',
      'Row 1: it reads "1" into extra_data.n; the file looks like 1.',
      'Row 1: it reads nothing into city; the file looks like "Bonn".',
    ]);
  });

  it('do not differ in a cell that an import would drop', () => {
    const dropped = [{ field: 'city', code: 'dropped_cell' }];
    const record = { email: 'a@x.org', birthday: '1990-04-03', city: '26282' };
    expect(otherValues(own, [{ row: 1, record, warnings: dropped }], fields)).toEqual([]);
    expect(otherValues(own, [{ row: 1, record }], fields)).toHaveLength(1);
  });

  it('differ in an identity that only the definition reads', () => {
    expect(read({ birthday: '1990-04-03' }).map((one) => [one.field, isGrave(one)])).toEqual([
      ['email', true],
    ]);
  });
});
