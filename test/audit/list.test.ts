import * as v from 'valibot';
import { beforeEach, expect, it } from 'vitest';
import { listAuditLog as entry } from '../../functions/audit/entries.ts';
import { listAuditLog } from '../../shared/audit/list-audit-log.ts';
import { auditTrail } from '../../shared/audit/audit-trail.ts';
import { auditLogAnswer, auditLogQuery } from '../../shared/audit/schemas.ts';
import { propertyScopes } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { auditKeys } from '../../shared/table/request-keys.ts';
import { limits } from '../../shared/config/limits.ts';
import { sampleHarness } from '../edge/route.ts';
import { authHarness, makeAccount, tokenOf, type AuthHarness } from '../auth/harness.ts';
import { apiEvent } from '../support/api-event.ts';
import { MemoryTable } from '../support/memory-table.ts';

let harness: AuthHarness;
let log: MemoryTable;
beforeEach(() => {
  harness = authHarness();
  log = new MemoryTable();
});

/** Reads an account's log over its route. */
const readerOf = async (username: string) => {
  const account = await makeAccount(harness, username);
  const token = await tokenOf(harness, account);
  const scopeOf = propertyScopes(harness.deps);
  const deps = { entries: log, scopeOf, baseUrl: 'https://api.example.test' };
  const handler = apiHandler(entry, listAuditLog, () => deps, { runtime: harness.around });
  const read = async (query = '', property = account.property) => {
    const parameters = { property_id: String(property) };
    const answer = await handler(
      apiEvent({ method: 'GET', parameters, query, headers: { authorization: `Bearer ${token}` } }),
    );
    expect(answer.statusCode).toBe(200);
    return v.parse(auditLogAnswer, JSON.parse(answer.body));
  };
  return { ...account, read };
};

const add = (account: number, time: number, more: object = {}) =>
  auditTrail({ entries: log, log: harness.deps.log, clock: harness.deps.clock }).add(account, {
    time,
    action: 'sign-in',
    outcome: 'admitted',
    request_id: `r${time}`,
    ...more,
  });

it('the audit log lists the newest entries first, of the property and of the whole account', async () => {
  const demo = await readerOf('demo');
  const { property } = demo;
  await add(demo.account, 1_000, { property, action: 'DELETE x', user: 5, ids: { import_id: 7 } });
  await add(demo.account, 2_000, { user: 6, source: '192.0.2.1' });
  await add(demo.account, 3_000, { property: property + 1 });
  expect(await demo.read()).toEqual({
    entries: [
      expect.objectContaining({
        time: '1970-01-01T00:00:02.000Z',
        user: 6,
        source: '192.0.2.1',
        operator: null,
      }),
      expect.objectContaining({ action: 'DELETE x', user: 5, ids: { import_id: 7 } }),
    ],
    paging: { next_page: null },
  });
});

it('the audit log can be filtered by user and action, and has pages', async () => {
  const demo = await readerOf('demo');
  for (let time = 1; time <= 9; time += 1) {
    const action = time % 3 === 0 ? 'sftp.login' : 'sign-in';
    await add(demo.account, time, { user: time % 2, action });
  }
  const times = (page: Awaited<ReturnType<typeof demo.read>>) =>
    page.entries.map(({ time }) => Date.parse(time));
  expect(times(await demo.read('user=1&order=oldest'))).toEqual([1, 3, 5, 7, 9]);
  expect(times(await demo.read('action=sftp.login'))).toEqual([9, 6, 3]);
  const first = await demo.read('limit=2&user=1');
  expect(times(first)).toEqual([9, 7]);
  const rest = await demo.read(new URL(first.paging.next_page ?? '').search.slice(1));
  expect(times(rest)).toEqual([5, 3]);
});

it.each(['7', '12', '1234567890123456'])('the audit log accepts the user id %s', (user) => {
  expect(v.parse(auditLogQuery, { user })).toEqual({ user: Number(user) });
});

it.each(['', '0', '01', '-1', '+1', '1.5', '1e3', 'x', '1x', 'x1', '1 ', '1\n', '0x10', '12345678901234567'])(
  'the audit log refuses the invalid user id %j',
  (user) => {
    const { issues } = v.safeParse(auditLogQuery, { user });
    expect(issues?.map((issue) => v.getDotPath(issue))).toEqual(['user']);
  },
);

it('the audit log shows no entry of another account', async () => {
  const demo = await readerOf('demo');
  const other = await readerOf('other');
  await add(demo.account, 1_000);
  expect((await other.read()).entries).toEqual([]);
});

it('the audit log is spread over partitions, and lists entries in order through pages of any size', async () => {
  const demo = await readerOf('demo');
  const times = Array.from({ length: 40 }, (_, n) => 1_000 * (n + 1));
  for (const time of times) await add(demo.account, time, { user: 5 });
  const perPartition = Map.groupBy(log.items(), ({ pk }) => pk);
  expect(perPartition.size).toBe(4);
  for (const limit of [1, 3, 7, 40, 100]) {
    const found: string[] = [];
    for (let query = `limit=${limit}&user=5`, page = 0; page < 50; page += 1) {
      const { entries, paging } = await demo.read(query);
      found.push(...entries.map(({ time }) => time));
      if (paging.next_page === null) break;
      query = new URL(paging.next_page).search.slice(1);
    }
    expect(found).toEqual(times.toReversed().map((time) => new Date(time).toISOString()));
  }
});

it('a page of the audit log asks each partition once, and pages through a long log lose nothing', async () => {
  const demo = await readerOf('demo');
  const times = Array.from({ length: 900 }, (_, n) => 1_000 * (n + 1));
  for (const time of times) await add(demo.account, time, { user: (time / 1_000) % 10 });
  const asked: string[] = [];
  const query = log.query.bind(log);
  log.query = (pk, range) => {
    asked.push(pk);
    return query(pk, range);
  };
  expect((await demo.read()).entries).toHaveLength(100);
  expect(asked.toSorted()).toEqual(auditKeys.logs(demo.account).toSorted());
  for (const order of ['newest', 'oldest'] as const)
    for (const filter of ['', '&user=3']) {
      const found: number[] = [];
      for (let text: string | undefined = `order=${order}${filter}`; text !== undefined;) {
        const { entries, paging } = await demo.read(text);
        found.push(...entries.map(({ time }) => Date.parse(time)));
        text = paging.next_page === null ? undefined : new URL(paging.next_page).search.slice(1);
      }
      const wanted = times.filter((time) => filter === '' || (time / 1_000) % 10 === 3);
      expect(found).toEqual(order === 'newest' ? wanted.toReversed() : wanted);
    }
});

/** The partitions to which the entries of so many requests go. */
const partitionsAt = (requestsPerSecond: number | undefined): ReadonlySet<string> =>
  new Set(
    Array.from(
      { length: 500 },
      (_, request) => auditKeys.entry({ account: 1, time: 1, request: `r${request}`, requestsPerSecond }).pk,
    ),
  );

it.each([
  [undefined, 4],
  [1, 4],
  [4_000, 4],
  [4_001, 8],
  [8_001, 16],
  [16_000, 16],
  [1_000_000, 16],
])('the log of an account with %s requests a second has %i partitions, which readers read', (rate, count) => {
  expect(partitionsAt(rate).size).toBe(count);
  expect(auditKeys.logs(1)).toEqual(expect.arrayContaining([...partitionsAt(rate)]));
});

it('the audit log of an account with a higher rate has more partitions, and lists all entries whatever the rate was', async () => {
  const sample = await sampleHarness(harness, {
    audit: () => auditTrail({ entries: log, log: harness.deps.log, clock: harness.deps.clock }),
  });
  const { account } = sample.demo;
  const setRate = (rate?: number) =>
    harness.run({
      command: 'account.limit',
      account,
      ...(rate !== undefined && { requests_per_second: rate }),
    });
  const sendSome = async (): Promise<void> => {
    harness.time.now += limits.auth.tokenCacheSeconds * 1_000 + 1;
    for (let request = 0; request < 60; request += 1) {
      harness.time.now += 1;
      expect((await sample.send()).statusCode).toBe(201);
    }
  };
  const partitions = () => new Set(log.items().map(({ pk }) => pk)).size;
  await sendSome();
  expect(partitions()).toBe(4);
  expect(await setRate(16_000)).toMatchObject({ ok: true });
  await sendSome();
  // 60 requests need not reach each of the 16.
  expect(partitions()).toBeGreaterThan(4);
  await setRate();
  await sendSome();
  const deps = { entries: log, scopeOf: propertyScopes(harness.deps), baseUrl: 'https://api.example.test' };
  const handler = apiHandler(entry, listAuditLog, () => deps, { runtime: harness.around });
  const parameters = { property_id: String(sample.demo.property) };
  const headers = { authorization: `Bearer ${sample.tokens.demo}` };
  const answer = await handler(apiEvent({ method: 'GET', parameters, query: 'limit=1000', headers }));
  expect(v.parse(auditLogAnswer, JSON.parse(answer.body)).entries).toHaveLength(180);
});
