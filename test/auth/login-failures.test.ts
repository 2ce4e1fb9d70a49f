import { beforeEach, expect, it } from 'vitest';
import { jsonOf } from '../support/answers.ts';
import { MemoryTable } from '../support/memory-table.ts';
import {
  type Account,
  authHarness,
  type AuthHarness,
  credentials,
  demoHarness,
  makeAccount,
} from './harness.ts';

let harness: AuthHarness;
let demo: Account;
beforeEach(async () => {
  ({ harness, demo } = await demoHarness());
});

const tryIn = async (password?: string, more: { username?: string; sourceIp?: string } = {}) => {
  const { username = demo.username, sourceIp = '192.0.2.1' } = more;
  const answer = await harness.send({ body: credentials({ ...demo, username }, password), sourceIp });
  return { status: answer.statusCode, error: jsonOf(answer)['error'], headers: answer.headers };
};

it('ten wrong passwords slow down one user at one source, and no other user', async () => {
  for (let count = 0; count < 10; count += 1) {
    expect((await tryIn('wrong')).error).toBe('invalid_grant');
    harness.time.now += 5_000;
  }
  harness.spent.kdf = 0;
  const slowed = await tryIn();
  expect(slowed).toMatchObject({ status: 429, error: 'slow_down' });
  expect(slowed.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(harness.spent.kdf).toBe(0);
  expect((await tryIn(undefined, { sourceIp: '198.51.100.7' })).status).toBe(200);
  await makeAccount(harness, 'other');
});

it('the slowdown ends at the time of Retry-After', async () => {
  for (let count = 0; count < 10; count += 1) await tryIn('wrong');
  const wait = Number((await tryIn()).headers['retry-after']) * 1000;
  expect(wait).toBeLessThanOrEqual(900_000);
  harness.time.now += wait - 1;
  expect((await tryIn()).status).toBe(429);
  harness.time.now += 1;
  expect((await tryIn()).status).toBe(200);
});

it('an IPv6 network counts as one source, and a mapped IPv4 address as itself', async () => {
  for (let count = 0; count < 10; count += 1) await tryIn('wrong', { sourceIp: `2001:db8:1:2::${count}` });
  expect((await tryIn(undefined, { sourceIp: '2001:db8:1:2:ffff::1' })).status).toBe(429);
  expect((await tryIn(undefined, { sourceIp: '2001:db8:1:3::1' })).status).toBe(200);
  for (let count = 0; count < 10; count += 1) await tryIn('wrong', { sourceIp: '::ffff:203.0.113.5' });
  expect((await tryIn(undefined, { sourceIp: '203.0.113.5' })).status).toBe(429);
});

it('one password tried on many users of a client is slowed down', async () => {
  const outcomes = [];
  for (let count = 0; count < 105; count += 1)
    outcomes.push((await tryIn('Summer2026!', { username: `user${count}` })).error);
  expect(outcomes.filter((error) => error === 'invalid_grant')).toHaveLength(100);
  expect(outcomes.slice(100)).toEqual(Array(5).fill('slow_down'));
  expect((await tryIn(undefined, { sourceIp: '198.51.100.7' })).status).toBe(200);
});

it('the right password works while another client guesses client ids', async () => {
  const guess = { ...demo, client_id: 'a guess' };
  for (let count = 0; count < 12; count += 1)
    await harness.send({ body: credentials(guess, 'wrong'), sourceIp: '192.0.2.1' });
  expect((await harness.send({ body: credentials(guess), sourceIp: '192.0.2.1' })).statusCode).toBe(429);
  expect((await tryIn()).status).toBe(200);
});

it('failures count one user name, in upper and lower case', async () => {
  for (let count = 0; count < 5; count += 1) {
    await tryIn('wrong', { username: 'demo' });
    await tryIn('wrong', { username: 'DEMO' });
  }
  expect((await tryIn()).status).toBe(429);
});

it('a network that also guesses client ids is slowed down', async () => {
  const outcomes = [];
  for (let count = 0; count < 1_005; count += 1) {
    const client_id = `client${count}`;
    const body = credentials({ client_id, username: `user${count}` }, 'Summer2026!');
    outcomes.push(jsonOf(await harness.send({ body, sourceIp: '192.0.2.1' }))['error']);
  }
  expect(outcomes.indexOf('slow_down')).toBe(1_000);
  expect((await tryIn(undefined, { sourceIp: '198.51.100.7' })).status).toBe(200);
});

it('every one of many concurrent wrong passwords counts, and concurrent right passwords work', async () => {
  const right = await Promise.all(Array.from({ length: 30 }, () => tryIn()));
  expect(right.every(({ status }) => status === 200)).toBe(true);
  await Promise.all(Array.from({ length: 30 }, () => tryIn('wrong')));
  const counters = harness.credentials.items().filter(({ pk }) => pk.startsWith('LOGIN#'));
  expect(counters.map(({ value }) => value)).toEqual([30, 30, 30]);
  expect(counters.every(({ ttl }) => typeof ttl === 'number')).toBe(true);
  expect((await tryIn()).status).toBe(429);
});

it('failures leave the window one slice after the other', async () => {
  for (let count = 0; count < 10; count += 1) {
    await tryIn('wrong');
    harness.time.now += 60_000;
  }
  const wait = Number((await tryIn()).headers['retry-after']) * 1000;
  // The first of the ten slices is ten minutes old, and leaves after fifteen.
  expect(wait).toBeGreaterThan(240_000);
  expect(wait).toBeLessThanOrEqual(300_000);
  harness.time.now += wait;
  await tryIn('wrong');
  expect((await tryIn()).status).toBe(429);
});

it('a login reads its failures in ranges, not one item a minute', async () => {
  const table = new ReadsCounted();
  harness = authHarness({ credentials: table });
  demo = await makeAccount(harness, 'demo');
  await tryIn('wrong');
  table.keys = 0;
  expect((await tryIn()).status).toBe(200);
  expect(table.keys).toBeLessThan(5);
});

/** Counts the items that are read by their keys. */
class ReadsCounted extends MemoryTable {
  keys = 0;

  override getMany(keys: Parameters<MemoryTable['getMany']>[0]) {
    this.keys += keys.length;
    return super.getMany(keys);
  }
}
