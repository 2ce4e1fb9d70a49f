import { describe, expect, it } from 'vitest';
import { channelNames } from '../../console/src/screens/segments/channels.ts';
import {
  cellOf,
  columnsWith,
  columnWord,
  exportColumns,
  includedFor,
  type Person,
} from '../../console/src/screens/segments/columns.ts';
import { formatOf } from '../../console/src/format.ts';
import { en } from '../../console/src/texts/en.ts';
import { isExportField } from '../../shared/exports/model/fields.ts';
import { nullsOf, returnedFields } from '../../shared/profiles/fields.ts';

const person = (more: Partial<Person>): Person => ({ ...nullsOf(returnedFields), ...more });
const format = formatOf('en-GB', Date.now);
const cell = (column: Exclude<Parameters<typeof cellOf>[1], 'name'>, more: Partial<Person>): string =>
  cellOf(person(more), column, en, format);
const tags = (...names: readonly string[]) =>
  names.map((tag) => ({ tag, datetime: '2026-01-01T00:00:00.000Z' }));
const said = (channel: string, state: 'given' | 'withdrawn') => ({
  ...{ channel, state, datetime: null, source: null },
});

describe('a cell of the table of people', () => {
  it('has the age by which segments decide', () => {
    expect(cell('age', { age: 39, current_age: 76 })).toBe('76');
    expect(cell('age', { current_age: 0 })).toBe('0');
    expect(cell('age', { current_age: null })).toBe('–');
  });

  it('has the first tags, each once, and says how many more there are', () => {
    expect(cell('tags', { tags: tags('Jazz', 'Jazz', 'Opera', 'Rock') })).toBe('Jazz, Opera, Rock');
    expect(cell('tags', { tags: tags('Jazz', 'Opera', 'Rock', 'Folk', 'Soul') })).toBe(
      'Jazz, Opera, Rock and 2 more',
    );
    expect(cell('tags', { tags: [] })).toBe('–');
  });

  it('has a consent in words, and a dash where nobody asked', () => {
    const consent = [said('email', 'given'), said('post', 'withdrawn')];
    expect(cell('consent.email', { consent })).toBe('Given');
    expect(cell('consent.post', { consent })).toBe('Withdrawn');
    expect(cell('consent.sms', { consent })).toBe('–');
  });

  it('has any other field as it is', () => {
    expect(cell('country', { country: 'DE' })).toBe('DE');
    expect(cell('city', { city: '' })).toBe('–');
    expect(cell('birthday', { birthday: '1950-02-03' })).toBe(format.day('1950-02-03'));
  });
});

describe('the columns', () => {
  const columns = columnsWith(['email', 'fax']);

  it('are asked for with what they need, and no more', () => {
    expect(includedFor(['name', 'email', 'birthday'])).toEqual([]);
    expect(includedFor(['consent.email', 'age', 'consent.fax', 'tags', 'country'])).toEqual([
      'consent',
      'current_age',
      'tags',
      'country',
    ]);
  });

  it('of channels are those on which somebody has said something, once each', () => {
    const segment = (type: 'consent' | 'tag', name: string, id: number) => ({
      ...{ id, type, name },
      count: 1,
    });
    expect(
      channelNames([
        segment('consent', 'email: given', 1),
        segment('tag', 'fax: given', 2),
        segment('consent', 'post: withdrawn', 3),
        segment('consent', 'email: withdrawn', 4),
      ]),
    ).toEqual(['email', 'post']);
  });

  it('have words, and each is a column of a file under its own', () => {
    const made = exportColumns(columns, en);
    expect(made.filter(({ umbel_field_name }) => !isExportField(umbel_field_name))).toEqual([]);
    const headers = made.map(({ destination_field_name }) => destination_field_name);
    expect(new Set(headers).size).toBe(headers.length);
    expect(made).toContainEqual({ umbel_field_name: 'current_age', destination_field_name: 'Age' });
    expect(made.some(({ umbel_field_name }) => umbel_field_name === 'age')).toBe(false);
    expect(made).toContainEqual({ umbel_field_name: 'tags', destination_field_name: 'Tags' });
    expect(made.slice(-2)).toEqual([
      { umbel_field_name: 'consent.email', destination_field_name: 'Consent: E-mail' },
      { umbel_field_name: 'consent.fax', destination_field_name: 'Consent: fax' },
    ]);
    expect(columns.slice(-2).map((column) => columnWord(en, column))).toEqual([
      'Consent: E-mail',
      'Consent: fax',
    ]);
  });
});
