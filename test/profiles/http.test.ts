import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { ageOn } from '../../shared/profiles/age.ts';
import { profileAnswer } from '../../shared/profiles/schemas.ts';
import { returnedFields } from '../../shared/profiles/fields.ts';
import { jsonOf, problemOf, textLike } from '../support/answers.ts';
import { profileRoutes } from './routes.ts';

let routes: Awaited<ReturnType<typeof profileRoutes>>;
beforeEach(async () => {
  routes = await profileRoutes();
});

const uuidOf = (answer: Parameters<typeof jsonOf>[0]): string => String(jsonOf(answer)['profile_uuid']);

it('a lookup records the shown profile in the audit log, with and without explain', async () => {
  const profile_uuid = uuidOf(await routes.demo.post({ unique_id: 'u' }));
  await routes.demo.lookup('unique_id=u');
  await routes.demo.lookup('unique_id=u&explain=true');
  const reads = routes.harness.auditLog.items().filter(({ action }) => String(action).startsWith('GET'));
  expect(reads.map(({ ids }) => ids)).toEqual([{ profile_uuid }, { profile_uuid }]);
});

describe('POST profiles', () => {
  it('answers 201 with a UUID for a new profile, 200 with the same for a known one', async () => {
    const first = await routes.demo.post({ email: 'ann+x@example.com', first_name: 'Ann' });
    expect(first.statusCode).toBe(201);
    expect(jsonOf(first)).toEqual({ profile_uuid: uuidOf(first) });
    const second = await routes.demo.post({ email: 'ANN+x@example.com', address: { city: 'Bonn' } });
    expect([second.statusCode, uuidOf(second)]).toEqual([200, uuidOf(first)]);
  });

  it('takes effect at once in lookups and in segments', async () => {
    await routes.demo.post({
      unique_id: 'u',
      has_children: 'y',
      source: 'web',
      tags: [{ datetime: '2024-01-01 00:00:00', tag: ['vip'] }],
    });
    for (const name of ['everyone', 'Has children: Yes', 'web', 'vip'])
      expect(await routes.members(name)).toHaveLength(1);
    await routes.demo.post({ unique_id: 'u', has_children: 'no', source: null });
    expect(await routes.members('Has children: Yes')).toEqual([]);
    expect(await routes.members('Has children: No')).toHaveLength(1);
    expect(await routes.members('web')).toEqual([]);
    expect(await routes.members('vip')).toHaveLength(1);
    expect(routes.table.items('journal')).toEqual([]);
  });

  it('keeps the later of two calls, although the clock of its server is behind', async () => {
    await routes.demo.post({ unique_id: 'u', gender: 'f' });
    routes.harness.time.now -= 60_000;
    await routes.demo.post({ unique_id: 'u', gender: 'm' });
    expect(jsonOf(await routes.demo.lookup('unique_id=u'))).toMatchObject({ profile: { gender: 'm' } });
    expect(await routes.members('Gender: f')).toEqual([]);
  });

  it('warns about an identity that belongs to another person', async () => {
    await routes.demo.post({ unique_id: 'mum', email: 'family@example.com' });
    const answer = await routes.demo.post({ unique_id: 'dad', email: 'family@example.com' });
    expect(answer.statusCode).toBe(201);
    const detail = 'The email belongs to another profile and was not stored.';
    expect(jsonOf(answer)).toEqual({
      profile_uuid: uuidOf(answer),
      warnings: [{ code: 'identity_conflict', detail }],
    });
  });

  it.each([
    [{}, '', 'identity_missing'],
    [{ unique_id: 'u', birthday: '2023-02-29' }, '/birthday', 'not_a_date'],
    [{ unique_id: 'u', birthday: '2026-01-16' }, '/birthday', 'out_of_range'],
    [{ unique_id: 'u', city: 'a', address: { city: 'b' } }, '/address/city', 'conflicting_values'],
    [{ unique_id: 'u', extra_data: { 'a/b': {} } }, '/extra_data/a~1b', 'wrong_type'],
    [{ unique_id: 'u', nope: 1 }, '/nope', 'unknown_field'],
  ])('refuses %j with %s %s and stores nothing', async (body, pointer, code) => {
    const before = routes.table.items().length;
    const answer = await routes.demo.post(body);
    expect(problemOf(answer)).toMatchObject({ status: 422, errors: [{ pointer, code }] });
    expect(routes.table.items()).toHaveLength(before);
  });

  it('refuses a record that would take the profile over a limit', async () => {
    const tags = (letter: string) => [
      { datetime: '2024-01-01 00:00:00', tag: Array.from({ length: 300 }, (_, n) => `${letter}${n}`) },
    ];
    await routes.demo.post({ unique_id: 'u', tags: tags('a') });
    const answer = await routes.demo.post({ unique_id: 'u', tags: tags('b'), city: 'Bonn' });
    expect(problemOf(answer)).toMatchObject({
      status: 422,
      errors: [{ pointer: '/tags', code: 'too_many' }],
    });
    expect(jsonOf(await routes.demo.lookup('unique_id=u'))).toMatchObject({ profile: { city: null } });
  });
});

describe('GET profile', () => {
  it('answers all 23 fields in order, null when unknown, by any identity or the UUID', async () => {
    const sent = {
      unique_id: 'u 1',
      email: 'a+b@example.com',
      social_id: 's',
      address: { postal_code: '02134' },
    };
    const uuid = uuidOf(await routes.demo.post(sent));
    const expected = {
      ...Object.fromEntries(returnedFields.map((field) => [field, null])),
      profile_uuid: uuid,
      unique_id: 'u 1',
      email: 'a+b@example.com',
      social_id: 's',
      zipcode: '02134',
    };
    for (const query of [
      'email=a+b@example.com',
      'email=A%2BB%40example.com',
      'email=%20a+b@example.com',
      'unique_id=u%201',
      'social_id=s',
      `profile_uuid=${uuid}`,
      `profile_uuid=${uuid.toUpperCase()}`,
    ]) {
      const answer = await routes.demo.lookup(query);
      expect([answer.statusCode, jsonOf(answer)]).toEqual([200, { profile: expected }]);
      expect(/"profile":\{(.*)\}/.exec(answer.body)?.[1]?.match(/(?<=")\w+(?=":)/g)).toEqual(returnedFields);
    }
  });

  it('adds what include names, each under its own name, and the segments with their ids', async () => {
    const tags = [{ datetime: '2024-01-01 00:00:00', tag: ['vip'] }];
    const sent = { unique_id: 'u', age: 41, country: 'DE', source: 'web', tags, social_likes: [{ id: '9' }] };
    const consent = [{ channel: 'sms', state: 'given', datetime: '2024-01-01 00:00:00', source: 'web' }];
    await routes.demo.post({ ...sent, birthday: '1950-02-03', extra_data: { spend: 5 }, consent });
    const plain = jsonOf(await routes.demo.lookup('unique_id=u'));
    expect(Object.keys(plain)).toEqual(['profile']);
    const answer = jsonOf(
      await routes.demo.lookup(
        'unique_id=u&include=age,current_age,country,tags,social_likes,sources,extra_data,consent,segments',
      ),
    );
    expect(v.is(profileAnswer, answer)).toBe(true);
    expect(answer).toMatchObject({
      ...plain,
      age: 41,
      current_age: ageOn('1950-02-03', routes.harness.time.now),
      country: 'DE',
      tags: [{ tag: 'vip', datetime: '2024-01-01 00:00:00' }],
      social_likes: [{ id: '9' }],
      sources: ['web'],
      extra_data: { spend: 5 },
      consent: consent.map((said) => ({ ...said, datetime: '2024-01-01T00:00:00.000Z' })),
    });
    const { segments = [] } = v.parse(profileAnswer, answer);
    const vip = segments.find(({ name }) => name === 'vip');
    expect(vip?.type).toBe('tag');
    expect(await routes.idsOf('vip')).toEqual([vip?.id]);
    const explained = jsonOf(await routes.demo.lookup('unique_id=u&include=tags&explain=true'));
    expect(Object.keys(explained)).toEqual(['profile', 'tags', 'provenance']);
  });

  it('says what include takes', async () => {
    await routes.demo.post({ unique_id: 'u' });
    for (const include of ['', 'tag', 'tags,,age', 'tags,profile']) {
      const refused = problemOf(await routes.demo.lookup(`unique_id=u&include=${include}`));
      const detail = textLike(/^Must be some of age, current_age, country, tags, /);
      expect(refused).toMatchObject({ status: 400, errors: [{ pointer: '/include', detail }] });
    }
  });

  it.each([
    '',
    'email=',
    'email',
    'email=a',
    'email=a@b.co&email=a@b.co',
    'email=a@b.co&unique_id=u',
    'email=a@b.co%00',
    `email=${'x'.repeat(321)}@b.co`,
    'unique_id=%20',
    `unique_id=${'x'.repeat(1_025)}`,
    'unique_id=a%0Ab',
    'profile_uuid=x',
    'name=x',
    'email=a@b.co&explain=maybe',
    'email=a@b.co&explain=',
    'email=a@b.co&explain=TRUE',
    'email=a@b.co&explain=true&explain=true',
    'explain=true',
    'email=%ff',
  ])('answers 400 for the query %j', async (query) => {
    expect(problemOf(await routes.demo.lookup(query))).toMatchObject({ status: 400 });
  });

  it('gives the same 404 for unknown, forged and foreign profiles', async () => {
    const foreign = uuidOf(await routes.other.post({ email: 'theirs@example.com' }));
    const answers = [];
    for (const query of [
      'email=theirs@example.com',
      'unique_id=none',
      `profile_uuid=${foreign}`,
      'profile_uuid=00000000-0000-8000-8000-000000000000',
    ])
      answers.push(problemOf(await routes.demo.lookup(query)));
    const [email, , uuid, forged] = answers.map((answer) => ({ ...answer, request_id: '' }));
    expect(uuid).toEqual(forged);
    // The sentence names the parameter of the query, and is otherwise the same.
    expect({ ...email, detail: '' }).toEqual({ ...uuid, detail: '' });
    expect(answers.map(({ detail }) => detail)).toEqual(
      ['email', 'unique_id', 'profile_uuid', 'profile_uuid'].map(
        (name) => `Nobody in property 1001 has this ${name}.`,
      ),
    );
    expect(email).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('GET profile with explain', () => {
  it('answers the profile and the source of each value, by any identity or the UUID', async () => {
    await routes.demo.post({ unique_id: 'u', email: 'old@b.co', city: 'Bonn', extra_data: { k: 1 } });
    routes.harness.time.now += 1_000;
    const third = { attribute_source: 'third_party', city: 'Köln', age: 30, tags: null };
    await routes.demo.post({ unique_id: 'u', email: 'new@b.co', ...third });
    routes.harness.time.now += 1_000;
    const uuid = uuidOf(await routes.demo.post({ unique_id: 'u', gender: 'f', city: null }));
    const plain = jsonOf(await routes.demo.lookup('unique_id=u'));
    const mark = (tier: string, second: number) => ({
      tier,
      source: 'api',
      job: null,
      stamp: `2026-01-15T12:00:0${second}.000Z`,
    });
    const expected = {
      ...plain,
      provenance: {
        fields: {
          city: [
            { value: null, ...mark('stated', 2), won: false },
            { value: 'Köln', ...mark('third_party', 1), won: true },
          ],
          gender: [{ value: 'f', ...mark('stated', 2), won: true }],
          email: [
            { value: 'new@b.co', ...mark('stated', 1), won: true },
            { value: 'old@b.co', ...mark('stated', 0), won: false },
          ],
          unique_id: [{ value: 'u', ...mark('stated', 2), won: true }],
          age: [{ value: 30, ...mark('third_party', 1), won: true }],
        },
        extra_data: { k: [{ value: 1, ...mark('stated', 0), won: true }] },
        tags: [],
        removed_tags: [],
        replaced_tags: [],
        social_likes: [],
        sources: [],
        consent: [],
        erased: [{ what: 'tags', ...mark('third_party', 1) }],
      },
    };
    for (const query of ['unique_id=u', 'email=old@b.co', `profile_uuid=${uuid}`]) {
      const answer = await routes.demo.lookup(`${query}&explain=true`);
      expect([answer.statusCode, jsonOf(answer)]).toEqual([200, expected]);
      expect(v.is(profileAnswer, jsonOf(answer))).toBe(true);
    }
  });

  it('answers the profile alone if explain is false, and 404 for an unknown person', async () => {
    await routes.demo.post({ unique_id: 'u' });
    const plain = jsonOf(await routes.demo.lookup('unique_id=u'));
    expect(jsonOf(await routes.demo.lookup('explain=false&unique_id=u'))).toEqual(plain);
    const nobody = await routes.demo.lookup('unique_id=none&explain=true');
    expect(problemOf(nobody)).toMatchObject({ status: 404, code: 'not_found' });
  });
});
