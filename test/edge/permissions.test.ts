import { beforeAll, describe, expect, it } from 'vitest';
import { auditTrail } from '../../shared/audit/audit-trail.ts';
import { apiHandler, callerHandler } from '../../shared/edge/api-handler.ts';
import type { HttpHandler } from '../../shared/edge/http-handler.ts';
import { allRoles, type Role } from '../../shared/http/permissions.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import { ok } from '../../shared/runtime/result.ts';
import { authHarness, makeAccount, makeUser, must, tokenOf } from '../auth/harness.ts';
import { problemOf } from '../support/answers.ts';
import { apiEvent } from '../support/api-event.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { mayDo, tokenRoutes, strayNames, type TokenRoute } from './needed-permissions.ts';

const ofProperties = tokenRoutes.filter(({ trigger }) => trigger.path.includes('{property_id}'));
const ofCallers = tokenRoutes.filter((route) => !ofProperties.includes(route));

describe('the permission of a route', () => {
  it('is that of the documents, in which each route has a place', () => {
    const placed = tokenRoutes.map(({ name, needs }) => [name, needs]);
    const declared = tokenRoutes.map(({ name, trigger }) => [name, trigger.permission]);
    expect(declared, 'Put a new route into `routesOf` in test/edge/needed-permissions.ts').toEqual(placed);
    expect(strayNames).toEqual([]);
  });

  it('is there, unless the route is about the caller', () => {
    expect(ofProperties.filter(({ trigger }) => trigger.permission === null)).toEqual([]);
    expect(ofCallers.filter(({ trigger }) => trigger.permission !== null)).toEqual([]);
  });

  it('is people.read where the route shows people, unless they are in the file that the caller sends', () => {
    const showing = tokenRoutes.filter(({ name, trigger }) => trigger.shows && name !== 'inspectImport');
    expect(new Set(showing.map(({ trigger }) => trigger.permission))).toEqual(new Set(['people.read']));
    const reading = tokenRoutes.filter(({ trigger }) => trigger.permission === 'people.read');
    expect(reading.map(({ name }) => name)).toEqual(showing.map(({ name }) => name));
  });

  it('only reads where the method only reads, other than a POST that writes nothing', () => {
    const differing = ofProperties.filter(
      ({ trigger }) => (trigger.method === 'GET') !== (trigger.permission ?? '').endsWith('.read'),
    );
    // An upload has addresses to write to, and a preview is a POST for the sake of its body.
    expect(differing.map(({ name }) => name).toSorted()).toEqual(['getUpload', 'previewSegment']);
  });
});

/** A token that the matrix tries, and what it may do. */
interface Tried {
  readonly role: Role;
  /** How the token came to the role. */
  readonly how: 'role' | 'lowered' | 'scope';
  readonly token: string;
  /** A token that may do the same, and does not reach the property. */
  readonly leftOut: string;
}

const harness = authHarness();
const tried: Tried[] = [];
let own = 0;
let foreign = 0;
beforeAll(async () => {
  const account = await makeAccount(harness, 'demo');
  const { property } = must(
    await harness.run({ command: 'property.create', account: account.account, name: 'B' }),
  );
  own = account.property;
  foreign = (await makeAccount(harness, 'other')).property;
  const reaching = { property_ids: [property] };
  const both = async (user: Parameters<typeof tokenOf>[1], asked: object = {}) => ({
    token: await tokenOf(harness, user, asked),
    leftOut: await tokenOf(harness, user, { ...asked, ...reaching }),
  });
  for (const role of allRoles) {
    const user = await makeUser(harness, account, `in-${role}`, { role });
    tried.push({ role, how: 'role', ...(await both(user)) });
    const lowered = await makeUser(harness, account, `lowered-${role}`);
    tried.push({ role, how: 'lowered', ...(await both(lowered)) });
    must(await harness.run({ command: 'user.role', username: lowered.username, role }));
    tried.push({ role, how: 'scope', ...(await both(account, { scope: mayDo[role] })) });
  }
});

/** The handler of a route, whose use case must never run. */
const handlerOf = ({ trigger }: TokenRoute, auditLog = harness.auditLog): HttpHandler => {
  const audit = auditTrail({ ...harness.deps, entries: auditLog });
  const options = { runtime: { ...harness.around, audit: () => audit } };
  const nothing = () => undefined;
  const { method, permission } = trigger;
  if (permission === null && (method === 'GET' || method === 'DELETE'))
    return callerHandler(
      { access: {}, trigger: { ...trigger, method, permission } },
      never,
      nothing,
      options,
    );
  if (permission === null) throw new Error('no route about the caller takes a body');
  return apiHandler({ access: {}, trigger: { ...trigger, permission } }, never, nothing, options);
};
const never = () => Promise.resolve(ok({ status: 599 }));

/** The request has a broken query and a broken body: whoever may ask is told so. */
const broken = { query: 'x', body: '{' };

const send = (
  route: TokenRoute,
  handler: HttpHandler,
  { token, property = own, sent = {} }: { token: string; property?: number; sent?: object },
) => {
  const { method, path } = route.trigger;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = Object.fromEntries(names.map((name) => [name, name === 'token_id' ? '0123abcd' : '7']));
  const key = method === 'POST' ? { 'idempotency-key': 'k' } : {};
  return handler(
    apiEvent({
      ...{ method, path, ...broken, ...sent },
      parameters: { ...parameters, ...(names.includes('property_id') && { property_id: String(property) }) },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...key },
    }),
  );
};
type Answered = Awaited<ReturnType<HttpHandler>>;

/** All of an answer but the id of its request. */
const shownBy = ({ statusCode, headers, body }: Answered) => ({
  statusCode,
  headers: { ...headers, 'x-request-id': '' },
  body: body.replace(/"request_id":"[^"]*"/, ''),
});

const stored = () => JSON.stringify([harness.table.items(), harness.credentials.items()]);

describe.each(ofProperties)('$name', (route) => {
  const { trigger, needs } = route;
  const auditLog = new MemoryTable();
  const handler = handlerOf(route, auditLog);
  const may = ({ role }: Tried): boolean => mayDo[role].split(' ').includes(needs ?? '');

  it('refuses a role without the permission before it reads anything else, and writes nothing', async () => {
    for (const one of tried) {
      const before = stored();
      const answer = await send(route, handler, one);
      const { role, how } = one;
      if (may(one)) {
        expect({ role, how, ...problemOf(answer) }).toMatchObject({ role, how, status: 400 });
        continue;
      }
      const refusal = { status: 403, code: 'not_permitted' };
      const detail = `The token may not do this: it needs the permission ${needs}.`;
      expect({ role, how, ...problemOf(answer) }).toMatchObject({ role, how, ...refusal, detail });
      expect(answer.headers['www-authenticate']).toBe(`Bearer error="insufficient_scope", scope="${needs}"`);
      const whole = await send(route, handler, { ...one, sent: { query: '', body: undefined } });
      expect(shownBy(whole)).toEqual(shownBy(answer));
      expect(stored()).toBe(before);
      const isOnRecord = trigger.method !== 'GET' || trigger.shows !== undefined;
      const ids = [answer, whole].map(({ headers }) => headers['x-request-id']);
      const entries = auditLog.items().filter(({ request_id }) => ids.some((id) => id === request_id));
      expect(entries).toHaveLength(isOnRecord ? 2 : 0);
      for (const entry of entries)
        expect(entry).toMatchObject({
          ...{ action: `${trigger.method} ${trigger.path}`, outcome: '403', property: own },
          token: sha256(one.token).slice(0, 8),
        });
    }
  });

  if (trigger.method === 'GET')
    it('asks for the same permission when it is asked for its headers alone', async () => {
      for (const one of tried) {
        const answer = await send(route, handler, { ...one, sent: { method: 'HEAD' } });
        expect([one.role, one.how, answer.statusCode]).toEqual([one.role, one.how, may(one) ? 400 : 403]);
      }
    });

  it('answers a foreign property and one that the token leaves out like an unknown one, and writes nothing', async () => {
    const before = [stored(), auditLog.items().length];
    for (const { role, how, token, leftOut } of tried) {
      const unknown = shownBy(await send(route, handler, { token, property: 8_999_999 }));
      expect(unknown).toMatchObject({ statusCode: 404 });
      for (const [what, asked] of [
        ['foreign', { token, property: foreign }],
        ['foreign', { token: leftOut, property: foreign }],
        ['left out', { token: leftOut }],
      ] as const)
        expect({ role, how, what, ...shownBy(await send(route, handler, asked)) }).toEqual({
          ...{ role, how, what },
          ...unknown,
        });
    }
    expect([stored(), auditLog.items().length]).toEqual(before);
  });
});

it.each(ofCallers)('$name takes any token of any role', async (route) => {
  const handler = handlerOf(route);
  for (const { token, leftOut } of tried)
    for (const one of [token, leftOut])
      expect((await send(route, handler, { token: one })).statusCode).toBe(400);
});
