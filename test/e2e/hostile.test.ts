import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathsOf } from '../../functions/entry.ts';
import { callerAnswer } from '../../shared/auth/schemas.ts';
import { allPermissions } from '../../shared/http/permissions.ts';
import { tokenRoutes } from '../edge/needed-permissions.ts';
import { dsaKey } from '../support/crafted-pgp-keys.ts';
import { operate } from '../support/operate.ts';
import { type RawAnswer, startService, type TestService } from '../support/service.ts';

const problemSchema = v.looseObject({
  type: v.string(),
  title: v.string(),
  status: v.number(),
  code: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]*$/)),
  detail: v.string(),
  request_id: v.string(),
});

const routes = tokenRoutes.map(({ name, trigger, needs }) => ({ name, ...trigger, needs }));

const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Bodies that no route accepts, with the allowed statuses of the refusal. */
const bodies: readonly (readonly [
  title: string,
  body: string | Uint8Array<ArrayBuffer>,
  statuses: readonly number[],
])[] = [
  ['no JSON', '{"name":', [400]],
  ['single quotes', "{'name':'a'}", [400]],
  ['an empty body', '', [400]],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0xc3, 0x28, 0x7d]), [400]],
  [
    'a text that is not UTF-8',
    Buffer.from('{"name":"Jos\xe9","email":"jos\xe9@example.org"}', 'latin1'),
    [400],
  ],
  ['U+FFFD', '{"first_name":"Jos\ufffd"}', [400]],
  ['U+FFFD by its escape', String.raw`{"name":"\ufffd","first_name":"\ufffd"}`, [422]],
  ['a deep array', deep(50_000), [400]],
  ['null', 'null', [400, 422]],
  ['a number', '17', [400, 422]],
  ['a text', '"x"', [400, 422]],
  ['an array', '[]', [400, 422]],
  ['an unknown field', '{"no_such_field":1}', [422]],
  ['a prototype', '{"__proto__":{"polluted":true}}', [400, 422]],
  ['a constructor', '{"constructor":{"prototype":{"x":1}}}', [400, 422]],
  ['NUL in a name', String.raw`{"name":"a\u0000b","email":"a\u0000@example.org"}`, [422]],
  ['a lone surrogate', String.raw`{"name":"\ud800","first_name":"\ud800"}`, [422]],
  ['a body over the limit', `"${'x'.repeat(2_900_001)}"`, [413]],
];

describe('every route refuses bad input clearly and stores nothing', () => {
  let service: TestService;
  /** For each permission, a token that has all others. */
  const without = new Map<string, string>();
  /** A token that may do everything, and does not reach the property of the tests. */
  let leftOut: string;
  beforeAll(async () => {
    service = await startService();
    // The second account signs in with its first call, which writes. No test below may count that.
    await service.call('GET', '/v1', { as: 'other' });
    for (const permission of allPermissions) {
      const others = allPermissions.filter((one) => one !== permission);
      without.set(permission, await narrowToken({ scope: others.join(' ') }));
    }
    const { account } = v.parse(callerAnswer, JSON.parse((await service.call('GET', '/v1/me')).text));
    const made = await operate(service, { command: 'property.create', account: account.id, name: 'Second' });
    leftOut = await narrowToken({
      property_ids: [v.parse(v.object({ property: v.number() }), made).property],
    });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  /** A token of the demo account that may do less. */
  const narrowToken = async (asked: object): Promise<string> => {
    const { client_id, username, password } = service.cloud.endpoints;
    const body = JSON.stringify({ grant_type: 'password', client_id, username, password, ...asked });
    const answer = await service.call('POST', '/oauth/token', { as: 'nobody', body });
    return v.parse(v.object({ access_token: v.string() }), JSON.parse(answer.text)).access_token;
  };
  const bearing = (token: string | undefined) => ({
    ...{ as: 'nobody' as const, headers: { authorization: `Bearer ${String(token)}` } },
  });

  const pathOf = (path: string, property = service.property): string =>
    path.replace('{property_id}', String(property)).replaceAll(/\{\w+\}/g, String(property * 1e9 + 999));

  /**
   * Kinds of items that a refused request may write: idempotency records, counters of requests and logins, audit
   * entries.
   */
  const bookkeeping = ['idempotency', 'rate', 'login', 'audit'];

  /** The writes of all functions so far, without bookkeeping. */
  const writes = (): number =>
    service.cloud.gateway.meter
      .snapshot()
      .filter(({ kind }) => !bookkeeping.includes(kind))
      .reduce((sum, { writeUnits }) => sum + writeUnits, 0);

  const expectProblem = (
    answer: RawAnswer,
    statuses: readonly number[],
  ): v.InferOutput<typeof problemSchema> => {
    expect(statuses).toContain(answer.status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    const problem = v.parse(problemSchema, JSON.parse(answer.text));
    expect(problem.status).toBe(answer.status);
    return problem;
  };

  // All tests of a route stand together: its function starts once.
  describe.each(routes)('$name', ({ method, path, body: taken, needs }) => {
    it('needs a token', async () => {
      const body = method === 'POST' ? { body: '{}' } : {};
      const answer = await service.call(method, pathOf(path), { as: 'nobody', ...body });
      expectProblem(answer, [401]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      const truncated = { authorization: `Bearer ${'0'.repeat(63)}` };
      expectProblem(
        await service.call(method, pathOf(path), { as: 'nobody', headers: truncated, ...body }),
        [401],
      );
    });

    if (path.includes('{property_id}'))
      it('answers a foreign property like an unknown property', async () => {
        const before = writes();
        const body = method === 'POST' ? { body: '{}' } : {};
        const foreign = await service.call(method, pathOf(path), { as: 'other', ...body });
        const unknown = await service.call(method, pathOf(path, 8_999_999), { as: 'other', ...body });
        // All fields except the id of the request, which always differs.
        const problem = (answer: RawAnswer): unknown => ({
          ...expectProblem(answer, [404]),
          request_id: undefined,
        });
        const unreached = await service.call(method, pathOf(path), { ...bearing(leftOut), ...body });
        for (const other of [foreign, unreached]) {
          expect(problem(other)).toEqual(problem(unknown));
          expect(names(other)).toEqual(names(unknown));
        }
        expect(writes()).toBe(before);
      });

    const lacking = needs ?? undefined;
    if (lacking !== undefined)
      it('refuses a token without its permission, whatever the request holds', async () => {
        const before = writes();
        const body = method === 'POST' || method === 'PUT' ? { body: '{"name":' } : {};
        const asked = { ...bearing(without.get(lacking)), ...body };
        const answer = await service.call(method, `${pathOf(path)}?no_such=1`, asked);
        expect(expectProblem(answer, [403]).detail).toContain(` ${lacking}.`);
        expect(answer.headers.get('www-authenticate')).toContain(`scope="${lacking}"`);
        expect(writes()).toBe(before);
      });

    it('refuses unknown query parameters', async () => {
      const body = method === 'POST' || taken ? { body: '{}' } : {};
      expectProblem(await service.call(method, `${pathOf(path)}?no_such=1`, body), [400, 404]);
    });

    if (taken !== undefined)
      it('refuses hostile bodies', async () => {
        const before = writes();
        for (const [title, body, statuses] of bodies) {
          const started = performance.now();
          const answer = await service.call(method, pathOf(path), { body });
          // Routes below an unknown resource may find the missing resource first; both answers refuse.
          const allowed = path.includes('_id}/') && answer.status === 404 ? [404] : statuses;
          const problem = expectProblem(answer, allowed);
          expect(problem.detail, title).not.toContain('polluted');
          expect(performance.now() - started, title).toBeLessThan(5_000);
        }
        expectProblem(
          await service.call(method, pathOf(path), { body: '{}', headers: { 'content-type': 'text/plain' } }),
          [415],
        );
        expect(writes()).toBe(before);
      });
  });

  it('the service refuses at once an OpenPGP key that would take many seconds to verify', async () => {
    const body = JSON.stringify({
      segment: [service.property * 1e9 + 1],
      webhook_url: 'https://hooks.example.com/x',
      pgp_public_key: dsaKey(14_000),
    });
    const started = performance.now();
    const answer = await service.call('POST', `/v1/${service.property}/exports`, { body });
    expect(performance.now() - started).toBeLessThan(2_000);
    expectProblem(answer, [422]);
    expect(answer.text).toContain('key_unsupported');
  });

  it('no look-alike letter finds or makes the profile of another address', async () => {
    const path = `/v1/${service.property}/profile`;
    const made = await service.call('POST', `${path}s`, { body: '{"email":"bark@example.org"}' });
    expect(made.status).toBe(201);
    const body = JSON.stringify({ email: 'bar\u212a@example.org', first_name: 'Mallory' });
    expectProblem(await service.call('POST', `${path}s`, { body }), [422]);
    const query = `?email=${encodeURIComponent('bar\u212a@example.org')}`;
    expectProblem(await service.call('GET', `${path}${query}`), [400]);
  });

  it('the service answers 404 for unknown paths and 405 with Allow for wrong methods', async () => {
    expectProblem(await service.call('GET', '/v1/no/such/path'), [404]);
    for (const route of routes) {
      for (const path of pathsOf(route)) {
        const answer = await service.call('PATCH', pathOf(path));
        expectProblem(answer, [405]);
        expect(answer.headers.get('allow')).toContain(route.method);
      }
    }
  });
});

const names = ({ headers }: RawAnswer): string[] => [...headers.keys()].toSorted();
