/** Sends what the documents say about conditions: each operator with its example, each expression, each refusal. */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { newFolders } from '../../local/test/support/folders.ts';
import { operators } from '../../shared/catalogue/conditions/shape.ts';
import { whereSchema } from '../../shared/catalogue/conditions/where.ts';
import { DAY_MS } from '../../shared/runtime/clock.ts';
import { dayText, utcDayOf } from '../../shared/runtime/utc-days.ts';
import { previewAnswer } from '../../shared/segments/people-schemas.ts';
import { customSegmentAnswer, segmentsAnswer } from '../../shared/segments/schemas.ts';
import { inProcess } from '../command-line/run-cli.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';

const page = readFileSync('docs/segments-reference.md', 'utf8');
const commandLine = readFileSync('docs/command-line.md', 'utf8');

/** The rules of the table of operators. */
const rules = [...page.matchAll(/^\| `(\{"field": .*\})` +\|/gm)].map(([, json = '']) =>
  v.parse(v.pipe(v.string(), v.parseJson(), whereSchema), json),
);

/** The conditions of the table of expressions. A bare operator, such as `<=`, stands in place of the one before it. */
const expressions = [
  ...commandLine.matchAll(/^\| (`[^|]+)\| (?:every|texts|numbers|days|`birthday`)/gm),
].flatMap(([, cell = '']) => {
  const [first = '', ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
  const [field = '', , ...value] = first.split(' ');
  return [first, ...others.map((text) => (/ /.test(text) ? text : [field, text, ...value].join(' ')))];
});

const daysFromNow = (days: number): string => dayText(utcDayOf(Date.now()) + days);

/** A person of twenty, born on a day that comes soon. */
const soon = new Date(Date.now() + 2 * DAY_MS);
const birthday = `${soon.getUTCFullYear() - 20}${soon.toISOString().slice(4, 10).replace('-02-29', '-02-28')}`;

/** Somebody who meets every rule and every expression that one person can meet. */
const everything = {
  unique_id: 'everything',
  email: 'everything@example.com',
  phone_number: '+49 30 1234567',
  last_name: 'Blumberg',
  gender: 'f',
  country: 'DE',
  birthday,
  tags: [
    { datetime: `${daysFromNow(-1)} 12:00:00`, tag: ['Gig'] },
    { datetime: `${daysFromNow(-100)} 12:00:00`, tag: ['Concert'] },
  ],
  extra_data: {
    ...{ newsletter: 'Yes', visits: ['0', '11'], spend: '500.00', joined: '2026-05-01' },
    ...{ seen: daysFromNow(-91), due: daysFromNow(14), Umsatz: 500 },
    ...{ 'Letzter Besuch': daysFromNow(-80), Vertragsende: daysFromNow(30) },
  },
};
/** The same person has one postcode in each document. */
const postcodes = { rules: '80331', expressions: '04109' };

type Refusal = readonly [said: string, where: object, status: number, pointer: string, sentence: RegExp];
const spend = { field: 'extra_data.spend', op: 'gte', value: 500 };
const seen = { field: 'extra_data.seen', op: 'within_days' };

/** What the page says about rules that are refused: its words, a request of that kind, and the answer. */
const refusals: readonly Refusal[] = [
  [
    'An operator that does not fit the field is 422, and the answer lists those that do.',
    { field: 'zipcode', op: 'gte', value: 5 },
    ...([
      422,
      '/where/op',
      /^`zipcode` is text: it allows exists, eq, in, starts_with and contains\.$/,
    ] as const),
  ],
  [
    '"Updated" is no field',
    { field: 'updated', op: 'within_days', value: 30 },
    ...([422, '/where/field', /^Is not known here; known: age, birthday, .*created/] as const),
  ],
  [
    'of up to 1,500 bytes each',
    { field: 'city', op: 'eq', value: 'x'.repeat(1_500) },
    ...([422, '/where/value', /^The condition must have at most 1500 bytes of UTF-8\.$/] as const),
  ],
  [
    'A window has up to 3,650 days',
    { ...seen, value: 3_651 },
    ...([422, '/where/value', /^Must be 1 to 3650\.$/] as const),
  ],
  [
    'an anniversary up to 366',
    { field: 'birthday', op: 'anniversary_within_days', value: 367 },
    ...([422, '/where/value', /^Must be 1 to 366\.$/] as const),
  ],
  [
    'who has one of up to 100',
    { field: 'city', op: 'in', value: Array.from({ length: 101 }, (_, n) => `${n}`) },
    ...([422, '/where/value', /^Must have 1 to 100 entries\.$/] as const),
  ],
];

const problem = v.object({
  errors: v.optional(v.array(v.object({ pointer: v.string(), detail: v.string() }))),
});

let service: Service;
shared.beforeAll(async ({ service: own }) => {
  service = own;
  for (const record of [{ ...everything, zipcode: postcodes.rules }, { unique_id: 'nothing' }])
    expect((await send('POST', 'profiles', record)).status).toBe(201);
});

const send = async (method: string, path: string, body?: object) => {
  const sent = body && { body: JSON.stringify(body) };
  const { status, text, headers } = await service.call(method, `/v1/${service.property}/${path}`, sent);
  const answer: unknown = JSON.parse(text);
  return { status, answer, headers };
};

/** The `unique_id`s of the people whom a rule means. */
const meant = async (body: object): Promise<readonly (string | null | undefined)[]> => {
  const { status, answer } = await send('POST', 'segments/preview', body);
  expect({ body, status }).toEqual({ body, status: 200 });
  const { estimate, sample } = v.parse(previewAnswer, answer);
  expect(estimate).toMatchObject({ count: sample.length, low: sample.length, high: sample.length });
  return sample.map(({ unique_id }) => unique_id);
};

describe('each operator has one example', () => {
  it('which is a rule', () => {
    const known = new Set<string>(Object.values(operators).flat());
    expect(rules.map(({ op }) => op).toSorted()).toEqual([...known].toSorted());
  });

  it.each(rules)('which finds the people whom it should: $op', async (where) => {
    // Nobody can be stored before the day of a page that was written earlier.
    const isEarlier = where.field === 'created';
    expect(await meant({ where })).toEqual(isEarlier ? [] : ['everything']);
    expect(await meant({ definition: { not: { where } } })).toEqual(
      isEarlier ? ['everything', 'nothing'] : ['nothing'],
    );
  });

  it('of which a condition can be made, once', async () => {
    const made: number[] = [];
    for (const where of rules) {
      const body = { name: where.op, where };
      const [first, again] = [await send('POST', 'segments', body), await send('POST', 'segments', body)];
      const { id } = v.parse(customSegmentAnswer, first.answer);
      const shown = { ...body, type: 'condition', ready: false, progress: 0 };
      expect([first.status, first.answer]).toMatchObject([201, shown]);
      expect([again.status, again.answer]).toMatchObject([200, { id }]);
      made.push(id);
    }
    const { answer } = await send('GET', 'segments?type=condition');
    expect(
      v
        .parse(segmentsAnswer, answer)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(made.toSorted());
    for (const id of made) expect((await send('DELETE', `segments/${id}`)).status).toBe(200);
  });
});

describe('a refusal of the page', () => {
  const text = page.replaceAll(/\s+/g, ' ');

  it.each(refusals)('is sent: %s', async (said, where, status, pointer, sentence) => {
    expect(text).toContain(said);
    for (const path of ['segments', 'segments/preview']) {
      const answered = await send('POST', path, { ...(path === 'segments' && { name: 'x' }), where });
      const { errors = [] } = v.parse(problem, answered.answer);
      expect([answered.status, errors.map((one) => one.pointer)]).toEqual([status, [pointer]]);
      expect(errors[0]?.detail).toMatch(sentence);
    }
  });

  it('is sent: a rule in a definition, another rule in a PUT, and the use of a condition in preparation', async () => {
    expect(text).toContain(
      'A stored definition names conditions; a `where` in it is 422. Only a preview takes rules.',
    );
    const inDefinition = await send('POST', 'segments', {
      name: 'x',
      definition: { all: [{ where: spend }] },
    });
    expect([inDefinition.status, inDefinition.answer]).toMatchObject([
      422,
      { errors: [{ pointer: '/definition/all/0', code: 'not_allowed' }] },
    ]);

    expect(text).toContain('Another `where` is 409 `state_conflict`: create another condition.');
    const { answer } = await send('POST', 'segments', { name: 'Spent 500 or more', where: spend });
    const { id } = v.parse(customSegmentAnswer, answer);
    const other = await send('PUT', `segments/${id}`, { name: 'x', where: { ...spend, value: 501 } });
    expect([other.status, other.answer]).toMatchObject([409, { code: 'state_conflict' }]);

    expect(text).toContain('whatever names it is 409 `segment_preparing` with `Retry-After`');
    const named = await send('POST', 'segments', { name: 'x', definition: { not: id } });
    expect([named.status, named.answer]).toMatchObject([409, { code: 'segment_preparing' }]);
    expect(named.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await send('DELETE', `segments/${id}`)).status).toBe(200);
  });

  it('counts who has a value that cannot be read', async () => {
    expect(text).toContain('`1.299,00` is none');
    const record = { unique_id: 'nothing', extra_data: { price: '1.299,00' } };
    expect((await send('POST', 'profiles', record)).status).toBe(200);
    const { answer } = await send('POST', 'segments/preview', {
      where: { ...spend, field: 'extra_data.price' },
    });
    expect(answer).toMatchObject({ estimate: { count: 0 }, conditions: [{ with_value: 1, unreadable: 1 }] });
  });
});

/** The expressions that mean another number of people than one: nobody is so young, and everybody was stored today. */
const counts: Readonly<Record<string, string>> = {
  'age < 18': '0 people.',
  'age <= 18': '0 people.',
  'created after 2026-01-01': '2 people.',
  'created before 2026-01-01': '0 people.',
  'created on 2026-01-01': '0 people.',
};

describe('an expression of the page of the command line', () => {
  const home = { folder: newFolders()() };
  const cli = (...args: readonly string[]) =>
    inProcess(home, args, { input: `${service.cloud.endpoints.password ?? ''}\n` });
  shared.beforeAll(async () => {
    const { base_url, client_id = '', username = '' } = service.cloud.endpoints;
    const login = ['login', '--base-url', base_url, '--client-id', client_id, '--username', username];
    expect((await cli(...login, '--password-stdin')).code).toBe(0);
    expect((await send('POST', 'profiles', { ...everything, zipcode: postcodes.expressions })).status).toBe(
      200,
    );
  });

  it.each(expressions)('is sent: %s', async (text) => {
    const { code, stdout, stderr } = await cli('segment', 'preview', text);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(counts[text] ?? '1 person.');
  });

  it.each(['"Umsatz" >= 1.234,50', 'zipcode >= 5', 'Letzter Besuch within 90 days'])(
    'is refused as the page says: %s',
    async (text) => {
      const { code, stderr } = await cli('segment', 'preview', text);
      const [sentence = ''] = stderr.split('\n');
      expect([code, commandLine.includes(`\n${sentence}\n`), sentence]).toEqual([2, true, sentence]);
    },
  );
});
