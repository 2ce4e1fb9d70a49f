import { describe, expect, it } from 'vitest';
import { returnedFields } from '../../shared/profiles/fields.ts';
import { accepted, refused } from './records.ts';

describe('the parser of scalar fields', () => {
  const identities = ['unique_id', 'email', 'social_id', 'profile_uuid'];
  const plain = returnedFields.filter(
    (field) => !identities.includes(field) && field !== 'birthday' && field !== 'has_children',
  );

  it.each([...plain, 'country'])(
    'takes the text of %s verbatim, erases it by null, and treats "" as absent',
    (field) => {
      const text = " =cmd|' /C calc'!A0\t\u202e\u200b😀e\u0301\r\n";
      expect(accepted({ [field]: text }).attributes).toEqual({ [field]: text });
      expect(accepted({ [field]: 'é'.repeat(1_024) }).attributes).toEqual({ [field]: 'é'.repeat(1_024) });
      expect(accepted({ [field]: null }).attributes).toEqual({ [field]: null });
      expect(accepted({ [field]: '' }).attributes).toEqual({});
      for (const wrong of [1, true, [], {}, ['x']])
        expect(refused({ unique_id: 'u', [field]: wrong })).toEqual([`${field} wrong_type`]);
      expect(refused({ unique_id: 'u', [field]: 'x'.repeat(1_025) })).toEqual([`${field} too_long`]);
      expect(refused({ unique_id: 'u', [field]: `z${'\u0301'.repeat(10_000)}` })).toEqual([
        `${field} too_long`,
      ]);
      for (const wrong of ['\u0000', 'a\u001bb', '\u0085', '\u007f', 'x\udc00', 'Jos\ufffd'])
        expect(refused({ unique_id: 'u', [field]: wrong })).toEqual([`${field} bad_characters`]);
    },
  );

  it.each([
    ['2024-02-29', undefined],
    ['1800-01-01', undefined],
    ['2026-01-15', undefined],
    ['2000-02-29', undefined],
    ['2023-02-29', 'not_a_date'],
    ['1900-02-29', 'not_a_date'],
    ['2021-02-30', 'not_a_date'],
    ['2021-04-31', 'not_a_date'],
    ['0000-00-00', 'not_a_date'],
    ['2000-13-01', 'not_a_date'],
    ['2000-00-10', 'not_a_date'],
    ['2000-01-00', 'not_a_date'],
    ['02/03/2000', 'not_a_date'],
    ['2000-1-1', 'not_a_date'],
    ['2000-01-01T00:00:00Z', 'not_a_date'],
    ['２０００-01-01', 'not_a_date'],
    ['2000-01-01 ', 'not_a_date'],
    ['2000-01-01\n', 'not_a_date'],
    ['1799-12-31', 'out_of_range'],
    ['2026-01-16', 'out_of_range'],
    ['9999-12-31', 'out_of_range'],
    [20000101, 'wrong_type'],
    [{}, 'wrong_type'],
  ])('checks the birthday %j', (birthday, code) => {
    expect(refused({ unique_id: 'u', birthday })).toEqual(code && [`birthday ${code}`]);
  });

  it.each([
    [0, undefined],
    [150, undefined],
    [null, undefined],
    [-1, 'out_of_range'],
    [151, 'out_of_range'],
    [1.5, 'wrong_type'],
    ['42', 'wrong_type'],
    [true, 'wrong_type'],
    [Number.POSITIVE_INFINITY, 'wrong_type'],
  ])('checks the age %j', (age, code) => {
    expect(refused({ unique_id: 'u', age })).toEqual(code && [`age ${code}`]);
  });

  it.each([
    ['yes', 'Yes'],
    ['Y', 'Yes'],
    ['TRUE', 'Yes'],
    ['Yes', 'Yes'],
    ['no', 'No'],
    ['n', 'No'],
    ['False', 'No'],
    [null, null],
  ])('stores has_children %j as %j', (sent, stored) => {
    expect(accepted({ has_children: sent }).attributes).toEqual({ has_children: stored });
  });

  it.each([
    ['maybe', 'not_allowed'],
    ['constructor', 'not_allowed'],
    [' yes', 'not_allowed'],
    [true, 'wrong_type'],
    [1, 'wrong_type'],
  ])('refuses has_children %j', (has_children, code) => {
    expect(refused({ unique_id: 'u', has_children })).toEqual([`has_children ${code}`]);
  });
});

describe('the parser of addresses', () => {
  it('fills street, street2, city, state, zipcode and country', () => {
    const address = { street: 'a', street2: 'b', city: 'c', state: 'd', postal_code: '02134', country: 'f' };
    expect(accepted({ address }).attributes).toEqual({
      street: 'a',
      street2: 'b',
      city: 'c',
      state: 'd',
      zipcode: '02134',
      country: 'f',
    });
  });

  it('erases a part, or every part', () => {
    expect(accepted({ address: { city: null, state: '' } }).attributes).toEqual({ city: null });
    expect(accepted({ address: null }).attributes).toEqual({
      street: null,
      street2: null,
      city: null,
      state: null,
      zipcode: null,
      country: null,
    });
  });

  it.each([
    [{ city: 'Bonn', address: { city: 'Bonn' } }, undefined],
    [{ city: 'Bonn', address: { city: '' } }, undefined],
    [{ city: 'Bonn', address: { city: 'Rome' } }, ['address.city conflicting_values']],
    [{ city: null, address: { city: 'Rome' } }, ['address.city conflicting_values']],
    [{ zipcode: '1', address: { postal_code: '2' } }, ['address.postal_code conflicting_values']],
    [{ address: { postal_code: 2134 } }, ['address.postal_code wrong_type']],
    [{ address: { zip: 'x' } }, ['address.zip unknown_field']],
    [{ address: 'x' }, ['address invalid']],
    [{ address: ['x'] }, ['address invalid']],
  ])('checks %j', (sent, faults) => {
    expect(refused({ unique_id: 'u', ...sent })).toEqual(faults);
  });
});

describe('the parser of sets', () => {
  const at = '2024-01-01 10:00:00';

  it('flattens tags, likes and labels, and erases them by null', () => {
    expect(
      accepted({
        tags: [{ datetime: at, tag: ['a', 'b'] }],
        social_likes: [{ id: ' 12 ' }, { id: '12' }],
        source: 'web, shop ,,web',
      }),
    ).toMatchObject({
      tags: [
        { datetime: at, tag: 'a' },
        { datetime: at, tag: 'b' },
      ],
      likes: ['12', '12'],
      labels: ['web', 'shop', 'web'],
    });
    expect(accepted({ tags: null, social_likes: null, source: null })).toMatchObject({
      tags: null,
      likes: null,
      labels: null,
    });
  });

  it.each<[unknown, string]>([
    [{}, 'tags wrong_type'],
    ['x', 'tags wrong_type'],
    [[1], 'tags.0 invalid'],
    [[[]], 'tags.0 invalid'],
    [[{ tag: ['a'] }], 'tags.0.datetime required'],
    [[{ datetime: at }], 'tags.0.tag required'],
    [[{ datetime: at, tag: 'a' }], 'tags.0.tag wrong_type'],
    [[{ datetime: at, tag: [] }], 'tags.0.tag empty'],
    [[{ datetime: at, tag: [1] }], 'tags.0.tag.0 wrong_type'],
    [[{ datetime: at, tag: [''] }], 'tags.0.tag.0 empty'],
    [[{ datetime: at, tag: ['a'], x: 1 }], 'tags.0.x unknown_field'],
    ...[
      '2024-13-01 00:00:00',
      '2024-01-01T00:00:00',
      '2024-01-01 24:00:00',
      '2024-02-30 10:00:00',
      '2024-01-01 10:60:00',
      '2024-01-01',
      '',
    ].map((datetime): [unknown, string] => [[{ datetime, tag: ['a'] }], 'tags.0.datetime not_a_date']),
    [Array.from({ length: 10_000 }, () => ({ datetime: at, tag: ['a'] })), 'tags too_many'],
    [[{ datetime: at, tag: Array.from({ length: 501 }, (_, n) => `t${n}`) }], 'tags too_many'],
  ])('refuses the tags %j with %s', (tags, fault) => {
    expect(refused({ unique_id: 'u', tags })).toEqual([fault]);
  });

  it.each([
    [{}, 'social_likes wrong_type'],
    ['x', 'social_likes wrong_type'],
    [[1], 'social_likes.0 invalid'],
    [[{}], 'social_likes.0.id required'],
    [[{ id: 1 }], 'social_likes.0.id wrong_type'],
    [[{ id: '' }], 'social_likes.0.id empty'],
    [[{ id: 'a\nb' }], 'social_likes.0.id bad_characters'],
    [[{ id: 'a\ufffd' }], 'social_likes.0.id bad_characters'],
    [Array.from({ length: 100_000 }, () => ({ id: 'a' })), 'social_likes too_many'],
  ])('refuses social_likes %j with %s', (social_likes, fault) => {
    expect(refused({ unique_id: 'u', social_likes })).toEqual([fault]);
  });
});

describe('the parser of extra data', () => {
  it('keeps scalars and arrays of scalars, erases by null, omits ""', () => {
    const sent = {
      text: 'x',
      number: 1e-200,
      zero: -0,
      yes: true,
      list: [1, 'a', null, false],
      empty: [],
      gone: null,
      blank: '',
      constructor: 'c',
    };
    expect(accepted({ extra_data: sent }).extra).toEqual([
      ['text', 'x'],
      ['number', 1e-200],
      ['zero', -0],
      ['yes', true],
      ['list', [1, 'a', null, false]],
      ['empty', []],
      ['gone', null],
      ['constructor', 'c'],
    ]);
    expect(accepted({ extra_data: null }).extra).toBeNull();
    const hostile: unknown = JSON.parse('{"__proto__":"p"}');
    expect(accepted({ extra_data: hostile }).extra).toEqual([['__proto__', 'p']]);
  });

  it.each([
    [[], 'extra_data invalid'],
    ['x', 'extra_data invalid'],
    [{ a: {} }, 'extra_data.a wrong_type'],
    [{ a: [[1]] }, 'extra_data.a wrong_type'],
    [{ a: [{}] }, 'extra_data.a wrong_type'],
    [{ a: Number.POSITIVE_INFINITY }, 'extra_data.a wrong_type'],
    [{ a: '\u0000' }, 'extra_data.a bad_characters'],
    [{ a: ['\ud800'] }, 'extra_data.a bad_characters'],
    [{ '': 1 }, 'extra_data empty'],
    [{ a: ['x', '\ufffd'] }, 'extra_data.a bad_characters'],
    [{ 'a\u0000': 1 }, 'extra_data bad_characters'],
    [{ 'a\ufffd': 1 }, 'extra_data bad_characters'],
    [{ ['k'.repeat(256)]: 1 }, 'extra_data too_long'],
    [Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`k${n}`, n])), 'extra_data too_many'],
  ])('refuses %j with %s', (extra_data, fault) => {
    expect(refused({ unique_id: 'u', extra_data })).toEqual([fault]);
  });
});
