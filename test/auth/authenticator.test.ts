import { beforeEach, describe, expect, it } from 'vitest';
import { userHash } from '../../shared/auth/credential-items.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { MAX_PROPERTY } from '../../shared/table/scoped-ids.ts';
import { eventOf, sampleHarness } from '../edge/route.ts';
import { problemOf } from '../support/answers.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { authHarness, must } from './harness.ts';

const DAY = 86_400_000;
let reads: string[] = [];
let credentials: MemoryTable;
let sample: Awaited<ReturnType<typeof sampleHarness>>;
let fault: Error | undefined;

beforeEach(async () => {
  fault = undefined;
  reads = [];
  credentials = new MemoryTable((operation, [key]) => {
    if (fault) throw fault;
    reads.push(`${operation} ${key?.pk}`);
  });
  sample = await sampleHarness(authHarness({ credentials }));
  reads = [];
});

const withHeader = (authorization: string | undefined) =>
  sample.send({ headers: authorization === undefined ? {} : { authorization } });

describe('an Authorization header', () => {
  it.each([
    ['', 'Bearer'],
    ['Bearer', 'Bearer'],
    ['Basic dXNlcjpwYXNz', 'Bearer'],
    ['Token x', 'Bearer'],
    ['Bearer ', 'Bearer error="invalid_token"'],
    ['Bearer tok,Bearer tok2', 'Bearer error="invalid_token"'],
    [`Bearer ${'a'.repeat(63)}`, 'Bearer error="invalid_token"'],
    [`Bearer ${'A'.repeat(64)}`, 'Bearer error="invalid_token"'],
    [`Bearer ${'a'.repeat(10_240)}`, 'Bearer error="invalid_token"'],
    [`Bearer ${'a'.repeat(62)}#/`, 'Bearer error="invalid_token"'],
    [`Bearer ${'a'.repeat(61)}%2e`, 'Bearer error="invalid_token"'],
  ])('"%.30s" is answered with 401 without a read of the table', async (authorization, challenge) => {
    const answer = await withHeader(authorization);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe(challenge);
    expect(reads).toEqual([]);
  });

  it('the header name and the scheme are case-insensitive', async () => {
    for (const name of ['authorization', 'Authorization', 'AUTHORIZATION']) {
      const event = eventOf(sample.demo.property, 'x', { headers: { authorization: '' } });
      const headers = { 'content-type': 'application/json', [name]: `bEARER ${sample.tokens.demo}` };
      expect((await sample.handler({ ...event, headers })).statusCode).toBe(201);
    }
  });

  it.each([
    [undefined, 'There is no Authorization header; send "Authorization: Bearer <token>".'],
    ['Basic dXNlcjpwYXNz', 'The Authorization header must be "Bearer <token>".'],
    [
      `Bearer ${'0'.repeat(64)}`,
      'The token is not valid, has expired or was revoked; get a new one from POST /oauth/token.',
    ],
  ])('the 401 %# says what to send', async (authorization, sentence) => {
    const event = eventOf(sample.demo.property, 'x', {});
    const headers = {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    };
    const answer = await sample.handler({ ...event, headers });
    expect(problemOf(answer)).toMatchObject({ code: 'unauthorized', detail: sentence });
  });

  it('an unknown token is answered with 401', async () => {
    const answer = await withHeader(`Bearer ${'0'.repeat(64)}`);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toContain('invalid_token');
  });
});

describe('a token', () => {
  it('a token dies at the second it expires, and a clock set back does not revive it', async () => {
    const { time } = sample.harness;
    time.now += 30 * DAY - 1;
    expect((await sample.send()).statusCode).toBe(201);
    time.now += 1;
    expect((await sample.send()).statusCode).toBe(401);
    time.now -= 3_600_000;
    expect((await sample.send()).statusCode).toBe(401);
  });

  it.each([
    ['revoked with all of its user', { command: 'token.revoke', username: 'demo' }],
    ['revoked with all of its account', { command: 'token.revoke', account: 1 }],
    ['of a password that was changed', { command: 'user.password', username: 'demo' }],
    ['of a user disabled', { command: 'user.disable', username: 'demo' }],
    ['of a user deleted by an operator', { command: 'user.delete', username: 'demo' }],
    ['revoked by itself', 'token'],
    ['of a user deleted', credentialKeys.user(userHash('demo'))],
    ['of an account deleted', 'account'],
  ])('%s is dead within 30 s', async (_, how) => {
    expect((await sample.send()).statusCode).toBe(201);
    if (how === 'token')
      must(await sample.harness.run({ command: 'token.revoke', token: sample.tokens.demo }));
    else if (how === 'account') await remove(credentialKeys.account(sample.demo.account));
    else if (typeof how === 'object' && 'pk' in how) await remove(how);
    else must(await sample.harness.run(how));
    sample.harness.time.now += 30_000;
    expect((await sample.send()).statusCode).toBe(401);
    expect((await sample.handler(eventOf(sample.other.property, sample.tokens.other, {}))).statusCode).toBe(
      201,
    );
  });

  it('a token is read again after 25 s and not earlier', async () => {
    await sample.send();
    reads = [];
    sample.harness.time.now += 24_999;
    await sample.send();
    expect(reads).toEqual([]);
    sample.harness.time.now += 1;
    await sample.send();
    expect(reads[0]).toBe(`get ${credentialKeys.token(sha256(sample.tokens.demo)).pk}`);
  });

  it('no token is valid while the table cannot be read', async () => {
    for (const error of [new UnavailableError('table: throttled'), new Error('broken')]) {
      fault = error;
      expect([500, 503]).toContain((await sample.send()).statusCode);
    }
    expect(sample.seen).toHaveLength(0);
  });
});

const remove = (key: { pk: string; sk: string }) => credentials.write({ kind: 'delete', key, expect: {} });

describe('a property', () => {
  const at = async (property_id: string) => {
    const answer = await sample.send({ parameters: { property_id, thing_id: '7' } });
    const headers = { ...answer.headers, 'x-request-id': '' };
    return { status: answer.statusCode, headers, body: answer.body.replace(/"request_id":"[^"]*"/, '') };
  };

  it('a property of another account looks like a missing property, cached or not', async () => {
    const foreign = [await at(String(sample.other.property)), await at(String(sample.other.property))];
    await sample.handler(eventOf(sample.other.property, sample.tokens.other, {}));
    foreign.push(await at(String(sample.other.property)));
    const unknown = await at('8999999');
    expect(unknown.status).toBe(404);
    for (const answer of foreign) expect(answer).toEqual(unknown);
    expect(unknown.body).not.toMatch(/\d{4}/);
  });

  it.each([
    '0',
    '01001',
    '-1',
    '1.5',
    '1e3',
    'abc',
    ' 1001',
    '1001 ',
    String(MAX_PROPERTY + 1),
    '9'.repeat(40),
    '%',
  ])('the property id "%s" is answered with 404 without a read', async (id) => {
    await sample.send();
    reads = [];
    expect((await at(id)).status).toBe(404);
    expect(reads).toEqual([]);
  });

  it.each(['0', '07', '-1', '1.5', 'x', '7;x=1', '../7', '9007199254740993', '9'.repeat(17)])(
    'a resource id "%s" is answered with 404',
    async (thing_id) => {
      const parameters = { property_id: String(sample.demo.property), thing_id };
      expect((await sample.send({ parameters })).statusCode).toBe(404);
    },
  );
});
