import { beforeEach, describe, expect, it } from 'vitest';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { anyText, problemOf, textLike } from '../support/answers.ts';
import { sampleRoute, sampleHarness, eventOf } from './route.ts';

let sample: Awaited<ReturnType<typeof sampleHarness>>;
beforeEach(async () => {
  sample = await sampleHarness();
});

describe('an API response', () => {
  it('every response carries the same headers', async () => {
    for (const answer of [await sample.send(), await sample.send({ body: '' })]) {
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'x-request-id': textLike(/.{8}/),
      });
    }
    expect((await sample.send({ headers: { accept: 'text/html' } })).headers['content-type']).toBe(
      'application/json',
    );
  });

  it('the use case receives the caller, the property, the path, the query and the body', async () => {
    const answer = await sample.send({ query: 'limit=5' });
    expect(answer.statusCode).toBe(201);
    expect(sample.seen[0]).toMatchObject({
      user: { email: 'demo@example.com', first_name: 'A', last_name: 'B' },
      property: { id: sample.demo.property, account: sample.demo.account },
      path: { thing_id: '7' },
      query: { limit: '5' },
      body: { name: 'x' },
    });
  });

  it('a refusal is an RFC 9457 problem that lists every fault', async () => {
    const problem = problemOf(await sample.send({ body: { name: '', inner: { 'a/b~c': [1] }, nope: 1 } }));
    expect(problem).toMatchObject({ status: 422, code: 'invalid', title: 'Unprocessable Content' });
    expect(problem['type']).toMatch(/^urn:/);
    expect(problem['errors']).toEqual([
      { pointer: '/name', code: 'too_short', detail: anyText },
      { pointer: '/inner/a~1b~0c/0', code: 'wrong_type', detail: anyText },
      { pointer: '/nope', code: 'unknown_field', detail: anyText },
    ]);
  });
});

describe('a body with several kinds of faults', () => {
  const faultsOf = async (body: unknown) => problemOf(await sample.send({ body }))['errors'];

  it('one answer lists all faults of a body', async () => {
    expect(await faultsOf({ name: 'a\u0000', kind: 'c', inner: { 'a/b~c': ['\ud800'] }, nope: 1 })).toEqual([
      { pointer: '/name', code: 'bad_characters', detail: anyText },
      { pointer: '/inner/a~1b~0c/0', code: 'bad_characters', detail: anyText },
      { pointer: '/kind', code: 'not_allowed', detail: anyText },
      { pointer: '/nope', code: 'unknown_field', detail: anyText },
    ]);
  });

  it('an answer lists each unknown field of a body, at any depth', async () => {
    const inner = { 'a/b~c': [true], one: 1, 'two~': 2 };
    expect(await faultsOf({ name: 'x', three: 3, inner, four: 4 })).toEqual([
      { pointer: '/inner/one', code: 'unknown_field', detail: anyText },
      { pointer: '/inner/two~0', code: 'unknown_field', detail: anyText },
      { pointer: '/three', code: 'unknown_field', detail: anyText },
      { pointer: '/four', code: 'unknown_field', detail: anyText },
    ]);
    const many = Array.from({ length: 50 }, (_, index) => [`m${index}`, 1]);
    expect(await faultsOf(Object.fromEntries(many))).toHaveLength(21);
  });

  it('an answer reports an unknown field with an unclean name once, without the name', async () => {
    expect(await faultsOf({ name: '', 'n\u0000': 1 })).toEqual([
      { pointer: '', code: 'bad_characters', detail: anyText },
      { pointer: '/name', code: 'too_short', detail: anyText },
    ]);
  });

  it('an answer lists at most one hundred faults', async () => {
    const fields = Array.from({ length: 99 }, (_, index) => [`n${index}`, 'a\u0000']);
    const wrong = { name: 1, kind: 1, reference: 1.5 };
    expect(await faultsOf({ ...Object.fromEntries(fields), ...wrong })).toHaveLength(100);
  });
});

const deep = (levels: number): string => `{"name":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

/**
 * Refused request bodies, each with the status of the refusal.
 */
const bodies: readonly (readonly [string, unknown, number])[] = [
  ['nothing', '', 400],
  ['null', 'null', 400],
  ['a string', '"x"', 400],
  ['a number', '1', 400],
  ['true', 'true', 400],
  ['a list', '[{"name":"x"}]', 400],
  ['single quotes', "{'name':'x'}", 400],
  ['a comment', '{"name":"x"} // y', 400],
  ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xc3, 0x28, 0x7d]), 400],
  ['bytes that the gateway replaced', '{"name":"Jos\ufffd"}', 400],
  ['a key that the gateway replaced', '{"name":"x","n\ufffd":1}', 400],
  ['a record that the gateway replaced', '{"name":"x","records":[{"name":"Jos\ufffd"}]}', 400],
  ['U+FFFD by its escape', '{"name":"Jos\\ufffd"}', 422],
  ['U+FFFD by its escape in a key', '{"name":"x","n\\ufffd":1}', 422],
  ['__proto__', '{"name":"x","__proto__":{"admin":true}}', 400],
  ['constructor', '{"constructor":{"prototype":{"x":1}}}', 400],
  ['a forbidden key far inside', '{"name":"x","inner":{"a/b~c":[{"prototype":1}]}}', 400],
  ['64 levels', deep(64), 422],
  ['65 levels', deep(65), 400],
  ['50,000 levels of objects', '{"a":'.repeat(50_000), 400],
  ['brackets in a string', `{"name":"x","kind":"${'['.repeat(100)}"}`, 422],
  ['an integer that loses precision', '{"name":"x","reference":9007199254740993}', 422],
  ['a fraction for an id', '{"name":"x","reference":1.5}', 422],
  ['zero for an id', '{"name":"x","reference":0}', 422],
  ['text for an id', '{"name":"x","reference":"5"}', 422],
  ['a number beyond all bounds', '{"name":"x","amount":1e400}', 422],
  ['NUL', '{"name":"a\\u0000b"}', 422],
  ['a C1 control', '{"name":"a\\u0085b"}', 422],
  ['a lone surrogate', '{"name":"\\ud800"}', 422],
  ['a control in an unknown key', '{"name":"x","a\\u0000":1}', 422],
  ['no name', '{}', 422],
  ['null for a name', '{"name":null}', 422],
  ['another kind', '{"name":"x","kind":"c"}', 422],
  ['toString as a field', '{"name":"x","toString":1}', 422],
];

describe('a request body', () => {
  it.each(bodies)('the answer to a body of %s has the expected status', async (_, body, status) => {
    const stored = () => JSON.stringify([sample.harness.table.items(), sample.harness.credentials.items()]);
    const before = stored();
    const started = performance.now();
    expect(problemOf(await sample.send({ body }))).toMatchObject({ status });
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(sample.seen).toHaveLength(0);
    expect(stored()).toBe(before);
  });

  it('a body with more keys than any schema is refused quickly', async () => {
    const keys = Array.from({ length: 300_000 }, (_, index) => `"${index.toString(36)}":1`);
    const started = performance.now();
    expect((await sample.send({ body: `{${keys.join(',')}}` })).statusCode).toBe(400);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('a body at the size limit passes, and a body one byte larger is refused', async () => {
    const body = (bytes: number): string => `{"name":"xy","records":["${'é'.repeat((bytes - 28) / 2)}"]}`;
    expect((await sample.send({ body: body(2_900_000) })).statusCode).toBe(201);
    expect(problemOf(await sample.send({ body: `${body(2_900_000)} ` }))).toMatchObject({
      status: 413,
      code: 'too_large',
    });
    expect((await sample.send({ body: Buffer.from(`${body(2_900_000)} `) })).statusCode).toBe(413);
    expect((await sample.send({ body: Buffer.from(body(2_900_000)) })).statusCode).toBe(201);
  });

  it('a body in invalid base64 is answered with 400', async () => {
    const event = {
      ...eventOf(sample.demo.property, sample.tokens.demo, {}),
      body: '***',
      isBase64Encoded: true,
    };
    expect((await sample.handler(event)).statusCode).toBe(400);
  });

  it('plain data reaches the use case unchanged', async () => {
    for (const name of [
      "' OR 1=1--",
      '=1+1',
      '$.x',
      '{% $states.i %}',
      ':v #n',
      '\u202e\u200b',
      '👩‍👩‍👧',
      'a\tb\r\nc',
    ]) {
      expect((await sample.send({ body: { name } })).statusCode).toBe(201);
      expect(sample.seen.at(-1)?.body).toEqual({ name });
    }
  });

  it('a byte order mark at the start of a body is ignored', async () => {
    expect((await sample.send({ body: '\ufeff{"name":"x"}' })).statusCode).toBe(201);
    expect(sample.seen[0]?.body).toEqual({ name: 'x' });
  });

  it('the last value of a repeated key counts', async () => {
    await sample.send({ body: '{"name":"a","name":"b"}' });
    expect(sample.seen[0]?.body).toEqual({ name: 'b' });
  });

  it('fields that the service assigns are dropped from a body', async () => {
    const body = {
      name: 'x',
      id: 5,
      status: 'done',
      property: 9,
      counts: {},
      created_by: { id: 1 },
      profile_uuid: 'u',
    };
    expect((await sample.send({ body })).statusCode).toBe(201);
    expect(sample.seen[0]?.body).toEqual({ name: 'x' });
  });

  it('a list of records that are validated one by one passes with an invalid record in it', async () => {
    const records = [{ name: 'a\u0000b' }, 1e300, null, { name: '\ufffd' }];
    const body = JSON.stringify({ name: 'x', records }).replace('\ufffd', String.raw`\ufffd`);
    expect((await sample.send({ body })).statusCode).toBe(201);
    expect(sample.seen[0]?.body).toEqual({ name: 'x', records });
  });

  it('a problem never repeats the body', async () => {
    const canary = 'canary-7f3a';
    for (const body of [
      { name: [canary] },
      { name: 'x', kind: canary },
      { name: 'x', reference: canary },
      canary,
    ]) {
      const answer = await sample.send({ body });
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.body + sample.harness.lines.join('')).not.toContain(canary);
    }
  });
});

describe('the content type of a request', () => {
  it.each([
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['Application/JSON;charset="UTF-8"; x=y', 201],
    ['application/json; charset=utf-16', 415],
    ['text/plain', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/jsonx', 415],
    ['', 415],
  ])('a request with the content type %s gets the expected status', async (type, status) => {
    expect((await sample.send({ headers: { 'content-type': type } })).statusCode).toBe(status);
  });
});

describe('the query of a request', () => {
  it.each([
    ['limit=5', 201],
    ['', 201],
    ['limit=5&limit=6', 400],
    ['limit', 400],
    ['=5', 400],
    ['limit=', 400],
    ['limit=5&', 400],
    ['limit=5;page=2', 400],
    ['limit=%zz', 400],
    ['limit=%ff', 400],
    ['limit=5%00', 400],
    ['limit[]=5', 400],
    ['limit=+5', 400],
    ['unknown=1', 400],
    ['__proto__=1', 400],
    ['constructor=1', 400],
    ['toString=1', 400],
  ])('a request with the query %s gets the expected status', async (query, status) => {
    expect((await sample.send({ query })).statusCode).toBe(status);
  });
});

describe('the order of checks', () => {
  const wrong = { query: 'x', body: 'x'.repeat(2_900_001), headers: { 'content-type': 'text/plain' } };

  it('the checks answer in the order 401, 404, 413, 415, 400, 422', async () => {
    const { property } = sample.demo;
    const status = async (sent: Parameters<typeof eventOf>[2], token = sample.tokens.demo, at = property) =>
      (await sample.handler(eventOf(at, token, sent))).statusCode;
    expect(await status(wrong, 'x', 99)).toBe(401);
    expect(await status(wrong, undefined, 99)).toBe(404);
    expect(await status(wrong)).toBe(413);
    expect(await status({ ...wrong, body: '{' })).toBe(415);
    expect(await status({ query: 'x', body: { name: 1 } })).toBe(400);
    expect(await status({ body: { name: 1 } })).toBe(422);
  });
});

describe('a server-side failure', () => {
  const failing = (error: Error) =>
    apiHandler(
      sampleRoute,
      () => Promise.reject(error),
      () => undefined,
      { runtime: sample.harness.around },
    );

  it('a bug is answered with 500, a temporary failure with 503, and the log holds no text of the client', async () => {
    const event = eventOf(sample.demo.property, sample.tokens.demo, { body: { name: 'canary' } });
    const bug = problemOf(await failing(new SyntaxError('Unexpected token canary'))(event));
    expect(bug).toMatchObject({ status: 500, code: 'internal_error' });
    expect(problemOf(await failing(new UnavailableError('table: busy'))(event))).toMatchObject({
      status: 503,
    });
    const lines = sample.harness.lines.map((line): unknown => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ code: 'request.failed', request_id: bug['request_id'] }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ code: 'request.unavailable' }));
    expect(sample.harness.lines.join('')).not.toContain('canary');
  });

  it('a use case that does not end is answered with 503 in time', async () => {
    const stuck = apiHandler(
      sampleRoute,
      () => new Promise<never>(() => undefined),
      () => undefined,
      { runtime: sample.harness.around },
    );
    const event = {
      ...eventOf(sample.demo.property, sample.tokens.demo, {}),
      requestContext: { http: { method: 'POST' }, requestId: 'access-log-id' },
    };
    const answer = await stuck(event, { getRemainingTimeInMillis: () => 720 });
    expect(problemOf(answer)).toMatchObject({ status: 503, request_id: 'access-log-id' });
    const { account, property } = sample.demo;
    const late = sample.harness.lines.find((line) => line.includes('request.late')) ?? '';
    expect(JSON.parse(late)).toMatchObject({ request_id: 'access-log-id', account, property });
  });
});
