import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { listChanges } from '../../cli/changes-since.ts';
import { manifest } from '../../functions/manifest.ts';
import { limits } from '../../shared/config/limits.ts';
import { auditCommand } from '../../shared/operator/audit-command.ts';
import { changeOf } from '../../shared/operator/changes-since.ts';
import { operate } from '../../shared/operator/operator-commands.ts';
import { auditKeys } from '../../shared/table/request-keys.ts';
import { markOfHash } from '../../shared/audit/audit-trail.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import { callerRoutes } from '../auth/caller-routes.ts';
import { authHarness, makeAccount, must, tokenOf, type AuthHarness, toldOperator } from '../auth/harness.ts';

let harness: AuthHarness;
let demo: Awaited<ReturnType<typeof makeAccount>>;
let other: Awaited<ReturnType<typeof makeAccount>>;
beforeEach(async () => {
  harness = authHarness();
  [demo, other] = [await makeAccount(harness, 'demo'), await makeAccount(harness, 'other')];
});

const listed = v.looseObject({ looked: v.number(), changes: v.array(v.looseObject({ action: v.string() })) });

/** What the command line lists, and the calls that it took. */
const list = async (since: number) => {
  const payload = { command: 'audit-log.since', since: new Date(since).toISOString() };
  let calls = 0;
  const answer = await listChanges(payload, async (one) => {
    calls += 1;
    return toldOperator(await harness.run(one));
  });
  return { ...v.parse(listed, answer), calls };
};

/** Adds an entry of a request. */
const request = async (
  account: number,
  action: string,
  outcome: string,
  ids = {},
  requestsPerSecond?: number,
): Promise<void> => {
  harness.time.now += 1;
  const request_id = `${harness.time.now}/+=`;
  const about = { property: account === demo.account ? demo.property : other.property, user: account };
  const entry = { time: harness.time.now, action, outcome, request_id, ...about, ids };
  await harness.deps.audit.add(account, entry, { requestsPerSecond });
};

const markOf = (token: string): string => markOfHash(sha256(token));

const command = (payload: object) =>
  auditCommand(harness.deps, { operator: 'ada', ...payload }, (one) => operate(harness.deps, one));

describe('the changes since a time', () => {
  it('are those of clients and operators in every account, the earliest first', async () => {
    await request(demo.account, 'PUT /v1/{property_id}/imports/{import_id}', '200', { import_id: 1 });
    const since = (harness.time.now += 1_000);
    const undo = 'POST /v1/{property_id}/imports/{import_id}/jobs/{job_id}/undo';
    await request(demo.account, undo, '202', { import_id: 1, job_id: 5 });
    await request(demo.account, 'GET /v1/{property_id}/profile', '200');
    await request(other.account, 'DELETE /v1/{property_id}/exports/{export_id}', '204', { export_id: 3 });
    await request(other.account, 'DELETE /v1/{property_id}/exports/{export_id}', '404', { export_id: 4 });
    harness.time.now += 1;
    must(await command({ command: 'user.disable', username: 'other' }));
    must(await command({ command: 'enricher.list', property: demo.property }));
    harness.time.now += 1;
    await command({ command: 'import.revoke', property: demo.property, import: 7 });
    await request(demo.account, 'DELETE /v1/{property_id}/profile', '204');
    const { changes, looked } = await list(since);
    const { property } = demo;
    expect(changes).toEqual([
      expect.objectContaining({
        ...{ kind: 'undo', table: 'data', action: undo, account: demo.account, property, user: demo.account },
        ids: { import_id: 1, job_id: 5 },
      }),
      expect.objectContaining({ kind: 'deletion', account: other.account, ids: { export_id: 3 } }),
      expect.objectContaining({
        ...{ kind: 'command', table: 'both', action: 'operator user.disable', operator: 'ada' },
        ids: { user_id: 2 },
      }),
    ]);
    expect(looked).toBe(8);
  });

  it('are, for the credentials, roles that were given and tokens that were ended, each by its mark', async () => {
    const routes = callerRoutes(harness);
    const [kept, ended, left] = [
      await tokenOf(harness, demo),
      await tokenOf(harness, demo),
      await tokenOf(harness, demo, { name: 'Box office' }),
    ];
    const since = (harness.time.now += 1_000);
    expect((await routes.end(kept, markOf(ended))).statusCode).toBe(200);
    expect((await routes.end(kept, '00000000')).statusCode).toBe(404);
    harness.time.now += 1;
    expect((await routes.revoke({ body: { token: left } })).statusCode).toBe(200);
    expect((await routes.revoke({ body: { token: left } })).statusCode).toBe(200);
    harness.time.now += 1;
    must(await command({ command: 'user.role', username: 'demo', role: 'reader' }));
    harness.time.now += 1;
    must(await command({ command: 'token.revoke', token: kept }));
    harness.time.now += 1;
    must(await command({ command: 'token.list', username: 'demo' }));
    must(await command({ command: 'user.show', username: 'demo' }));
    await tokenOf(harness, demo, { name: 'Made since' });
    const { changes } = await list(since);
    const lost = { table: 'credentials', account: demo.account, property: null };
    expect(changes).toEqual([
      expect.objectContaining({
        ...{ ...lost, kind: 'withdrawal', action: 'DELETE /v1/me/tokens/{token_id}', user: 1 },
        ids: { token_id: markOf(ended), id: markOf(ended) },
      }),
      expect.objectContaining({
        ...{ ...lost, kind: 'withdrawal', action: 'sign-out', user: 1 },
        ids: { token_id: markOf(left) },
      }),
      expect.objectContaining({
        ...{ ...lost, kind: 'command', action: 'operator user.role', operator: 'ada' },
        ids: { user_id: 1, role: 'reader' },
      }),
      expect.objectContaining({
        ...{ ...lost, kind: 'command', action: 'operator token.revoke' },
        ids: { user_id: 1, token: markOf(kept) },
      }),
    ]);
  });

  it('are found in logs of any size, a bounded part at a time', async () => {
    const since = harness.time.now;
    const count = limits.operator.logPage.entries * 2;
    for (let index = 0; index < count; index += 1)
      await request(other.account, index % 1_000 === 0 ? 'PUT /v1/x' : 'GET /v1/x', '200');
    const { changes, calls, looked } = await list(since);
    expect(looked).toBe(count);
    expect(changes).toHaveLength(count / 1_000);
    expect(calls).toBeGreaterThan(1);
  });

  it('are found behind many accounts that have none', async () => {
    for (let index = 0; index < 100; index += 1)
      must(await harness.run({ command: 'account.create', name: `A${index}` }));
    const since = harness.time.now;
    await request(102, 'PUT /v1/x', '200');
    const { changes, calls } = await list(since);
    expect(changes).toHaveLength(1);
    expect(calls).toBe(Math.ceil((102 * auditKeys.logs(1).length) / limits.operator.logPage.queries));
  });

  it('are found in all partitions of an account with a higher rate', async () => {
    const since = harness.time.now;
    const rate = limits.rates.mostRequestsPerSecond;
    for (let index = 0; index < 40; index += 1) await request(demo.account, 'PUT /v1/x', '200', {}, rate);
    expect((await list(since)).changes).toHaveLength(40);
  });

  it('are read from a place of another answer only', async () => {
    const page = { command: 'audit-log.since', since: '2026-11-23T06:00:00Z' };
    for (const after of ['x', '1/0', '/0/'])
      expect(await harness.run({ ...page, after })).toMatchObject({ error: { code: 'invalid' } });
  });
});

it('each change of the API is of a kind, or is replayed, or is data or work that nobody can do again', () => {
  const actions = Object.values(manifest).flatMap(({ trigger }) =>
    trigger.kind === 'http' && trigger.auth === 'token' && trigger.method !== 'GET'
      ? [`${trigger.method} ${trigger.path}`]
      : [],
  );
  const others = [...new Set(actions)].filter((action) => changeOf(action) === undefined).toSorted();
  expect(others).toEqual([
    'DELETE /v1/{property_id}/objections/{objection}',
    'DELETE /v1/{property_id}/profile',
    'POST /v1/{property_id}/exports/{export_id}/jobs',

    'POST /v1/{property_id}/exports/{export_id}/jobs/{job_id}/deliveries/{delivery}/replay',
    'POST /v1/{property_id}/exports/{export_id}/test',
    'POST /v1/{property_id}/import-data',
    'POST /v1/{property_id}/imports/inspect',
    'POST /v1/{property_id}/imports/{import_id}/jobs',

    'POST /v1/{property_id}/imports/{import_id}/jobs/{job_id}/deliveries/{delivery}/replay',
    'POST /v1/{property_id}/imports/{import_id}/jobs/{job_id}/retry',
    'POST /v1/{property_id}/imports/{import_id}/uploads',
    'POST /v1/{property_id}/imports/{import_id}/uploads/{job_id}/complete',
    'POST /v1/{property_id}/objections',
    'POST /v1/{property_id}/profiles',
    'POST /v1/{property_id}/segments/preview',

    'POST /v2/properties/{property_id}/timelines/{timeline_id}/moments',
  ]);
});
