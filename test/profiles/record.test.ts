import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { readOnlyFields } from '../../shared/edge/read-only.ts';
import { normalizeRecord } from '../../shared/profiles/normalize-record.ts';
import { accepted, context, NOW, refused } from './records.ts';

describe('the identities of a record', () => {
  it.each([
    [{ email: ' A.B@Example.COM ' }, [{ kind: 'email', value: 'a.b@example.com' }]],
    [{ unique_id: ' 007 ' }, [{ kind: 'unique_id', value: '007' }]],
    [{ unique_id: 'Case' }, [{ kind: 'unique_id', value: 'Case' }]],
    [{ unique_id: 'a#b/c=:v' }, [{ kind: 'unique_id', value: 'a#b/c=:v' }]],
    [{ unique_id: '😀'.repeat(1_024) }, [{ kind: 'unique_id', value: '😀'.repeat(1_024) }]],
    [
      { social_id: 's', email: 'a@b.co', unique_id: 'u' },
      [
        { kind: 'unique_id', value: 'u' },
        { kind: 'email', value: 'a@b.co' },
        { kind: 'social_id', value: 's' },
      ],
    ],
    [{ unique_id: 'u', email: '', social_id: ' ' }, [{ kind: 'unique_id', value: 'u' }]],
    [{ email: '__proto__@x.com' }, [{ kind: 'email', value: '__proto__@x.com' }]],
    [{ email: 'раypal@x.com' }, [{ kind: 'email', value: 'раypal@x.com' }]],
    [{ email: 'zoë@bücher.example' }, [{ kind: 'email', value: 'zoë@bücher.example' }]],
  ])('of %j are trimmed, with the e-mail in lower case, strongest first', (sent, identities) => {
    expect(normalizeRecord(sent, context)).toMatchObject({ ok: true, value: { identities } });
  });

  it.each([
    [{}, ['(record) identity_missing']],
    [{ first_name: 'Ann' }, ['(record) identity_missing']],
    [{ unique_id: '' }, ['(record) identity_missing']],
    [{ unique_id: ' ' }, ['(record) identity_missing']],
    [
      { unique_id: 'u', firstname: 'A', lastname: 'B' },
      ['firstname unknown_field', 'lastname unknown_field'],
    ],
    [
      { unique_id: 'u', tags: [{ datetime: '2026-01-01 00:00:00', tag: ['a'], x: 1, y: 1 }] },
      ['tags.0.x unknown_field', 'tags.0.y unknown_field'],
    ],
    [{ unique_id: null }, ['unique_id wrong_type']],
    [{ email: null, unique_id: 'u' }, ['email wrong_type']],
    [{ unique_id: 123 }, ['unique_id wrong_type']],
    [{ unique_id: 'x'.repeat(1_025) }, ['unique_id too_long']],
    [{ unique_id: 'a\tb' }, ['unique_id bad_characters']],
    [{ unique_id: '\ud800' }, ['unique_id bad_characters']],
    [{ unique_id: '\ufffd' }, ['unique_id bad_characters']],
    [{ email: 'jos\ufffd@example.org' }, ['email bad_characters']],
    [{ email: 'a@b.co\r\nBcc: x@y.z' }, ['email bad_characters']],
    [{ email: ['a@b.co'] }, ['email wrong_type']],
  ])('are refused in %j', (sent, faults) => {
    expect(refused(sent)).toEqual(faults);
  });

  it.each([
    'a',
    'a@',
    '@b.co',
    'a@b',
    'a@@b.co',
    'a b@c.de',
    '.a@b.co',
    'a.@b.co',
    'a..b@c.de',
    'a@b..co',
    'a@-b.co',
    'a@b-.co',
    'a@b.co.',
    '"a b"@x.com',
    'a@[127.0.0.1]',
    'a@1.2.3.4',
    'a@b.c',
    'A <a@b.co>',
    'a@b.co,c@d.ef',
    'a@b_c.de',
    `${'x'.repeat(65)}@b.co`,
    `a@${'b'.repeat(64)}.co`,
    `a@${'b.'.repeat(160)}co`,
    `${'a.'.repeat(40_000)}@b.co`,
  ])('cannot include the e-mail address %s', (email) => {
    expect(refused({ email })).toEqual(['email not_an_email']);
  });

  it.each(["o'neil+tag@mail.example.co.uk", 'x_1-2@a-b.museum', `${'x'.repeat(64)}@${'b'.repeat(63)}.com`])(
    'can include the e-mail address %s',
    (email) => {
      expect(refused({ email })).toBeUndefined();
    },
  );
});

describe('the parser of a record', () => {
  it.each([[null], [[]], ['x'], [1], [true], [undefined]])('refuses %j', (record) => {
    expect(refused(record)).toEqual(['(record) invalid']);
  });

  it('ignores fields that the service assigns', () => {
    const sent = Object.fromEntries(readOnlyFields.map((field) => [field, { any: 'thing' }]));
    expect(accepted(sent)).toEqual({
      tier: 1,
      identities: [{ kind: 'unique_id', value: 'u' }],
      attributes: {},
    });
  });

  it.each(['nope', '__proto__', 'constructor', 'toString', 'postal_code', 'likes'])(
    'refuses the unknown field %s',
    (field) => {
      const record: unknown = JSON.parse(`{"unique_id":"u",${JSON.stringify(field)}:1}`);
      expect(refused(record)).toEqual([`${field} unknown_field`]);
    },
  );

  it.each([
    ['stated', 1],
    ['third_party', 4],
    ['', 3],
  ])('maps attribute_source %j to tier %i', (attribute_source, tier) => {
    const record = normalizeRecord({ unique_id: 'u', attribute_source }, { now: NOW, tier: 3 });
    expect(record).toMatchObject({ ok: true, value: { tier } });
  });

  it.each(['Stated', 'third-party', 'professional_network', 1, null, []])(
    'refuses attribute_source %j',
    (attribute_source) => {
      const [fault] = refused({ unique_id: 'u', attribute_source }) ?? [];
      expect(fault).toMatch(/^attribute_source /);
    },
  );

  it('separates a social token from the attributes', () => {
    expect(accepted({ social_token: 'secret' })).toMatchObject({ attributes: {}, socialToken: 'secret' });
    const long = 'x'.repeat(limits.profiles.socialTokenBytes + 1);
    expect(refused({ unique_id: 'u', social_token: long })).toEqual(['social_token too_long']);
  });

  it('reports every fault with a pointer and never the value', () => {
    const secret = 'hunter2';
    const result = normalizeRecord(
      {
        email: `${secret}@`,
        birthday: secret,
        address: { city: [secret] },
        extra_data: { 'a/b~c': { secret } },
      },
      context,
    );
    expect(JSON.stringify(result)).not.toContain(secret);
    if (result.ok) throw new Error('accepted');
    expect(result.error.map(({ pointer }) => pointer)).toEqual([
      '/email',
      '/birthday',
      '/address/city',
      '/extra_data/a~1b~0c',
    ]);
    expect(result.error.at(-1)).toMatchObject({ field: 'extra_data.a/b~c' });
  });
});
