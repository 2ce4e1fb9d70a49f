import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { listAuditLog as listEntry } from '../../functions/audit/entries.ts';
import { auditTrail } from '../../shared/audit/audit-trail.ts';
import { listAuditLog } from '../../shared/audit/list-audit-log.ts';
import { auditLogAnswer } from '../../shared/audit/schemas.ts';
import { apiHandler, type ApiRuntime } from '../../shared/edge/api-handler.ts';
import type { Announce, ApiAnswer } from '../../shared/http/api-types.ts';
import { missing } from '../../shared/http/not-found.ts';
import type { Problem } from '../../shared/http/problem.ts';
import { propertyScopes } from '../../shared/properties/property-keys.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { err, ok, type Result } from '../../shared/runtime/result.ts';
import { auditKeys } from '../../shared/table/request-keys.ts';
import { authHarness, type AuthHarness } from '../auth/harness.ts';
import { eventOf, sampleHarness } from '../edge/route.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { gate } from '../support/table-view.ts';
import { trailThatIsDown } from './audit-log.ts';

const [ANN, EVE] = ['0190a6b0-0000-7000-8000-000000000001', '0190a6b0-0000-7000-8000-000000000002'];

let harness: AuthHarness;
let sample: Awaited<ReturnType<typeof sampleHarness>>;
beforeEach(async () => {
  harness = authHarness();
  sample = await sampleHarness(harness);
});

type Read = (announce: Announce | undefined) => Promise<Result<ApiAnswer, Problem>>;

/** Sends a read to a route that shows one person. */
const send = (read: Read, more: Partial<ApiRuntime> = {}, shows: 'person' | 'people' = 'person') => {
  const trigger = {
    method: 'GET',
    path: '/v1/{property_id}/things/{thing_id}',
    auth: 'token',
    permission: 'people.read',
    shows,
  } as const;
  const handler = apiHandler(
    { access: {}, trigger },
    (_: undefined, { announce }) => read(announce),
    () => undefined,
    { runtime: { ...harness.around, ...more } },
  );
  return handler(eventOf(sample.demo.property, sample.tokens.demo, { method: 'GET', body: undefined }));
};

const showing = (profile_uuid: string): Result<ApiAnswer, Problem> =>
  ok({ status: 200, audited: { profile_uuid }, body: ['a@x.org'] });
const nobody = err(missing('There is no such person.'));

/** A read that announces Ann before it has this outcome. */
const announcing =
  (outcome: () => Result<ApiAnswer, Problem>): Read =>
  (announce) => {
    announce?.({ profile_uuid: ANN });
    return Promise.resolve().then(outcome);
  };

const stored = () => harness.auditLog.items().filter(({ action }) => action !== 'sign-in');

/** The entries of the property as the API lists them, in both orders and on pages of any size. */
const listed = async () => {
  const deps = {
    entries: harness.auditLog,
    scopeOf: propertyScopes(harness.deps),
    baseUrl: 'https://a.test',
  };
  const handler = apiHandler(listEntry, listAuditLog, () => deps, { runtime: harness.around });
  const all = async (order: 'oldest' | 'newest', limit: number) => {
    const found: v.InferOutput<typeof auditLogAnswer>['entries'] = [];
    const filter = `action=${encodeURIComponent('GET /v1/{property_id}/things/{thing_id}')}`;
    let query: string | undefined = `order=${order}&limit=${limit}&${filter}`;
    while (query !== undefined) {
      const event = eventOf(sample.demo.property, sample.tokens.demo, {
        method: 'GET',
        body: undefined,
        query,
      });
      const page = v.parse(auditLogAnswer, JSON.parse((await handler(event)).body));
      found.push(...page.entries);
      const { next_page } = page.paging;
      query = next_page === null ? undefined : new URL(next_page).search.slice(1);
    }
    return order === 'oldest' ? found : found.toReversed();
  };
  const lists = [];
  for (const limit of [1, 2, 3, 100])
    for (const order of ['oldest', 'newest'] as const) lists.push(await all(order, limit));
  const [first = [], ...others] = lists;
  for (const other of others) expect(other).toEqual(first);
  return first;
};

describe('a read that announces whom it is about to show', () => {
  it('has its entry stored beside the read, once', async () => {
    const reading = gate();
    const answer = send(async (announce) => {
      announce?.({ profile_uuid: ANN });
      await reading.pass();
      return showing(ANN);
    });
    await reading.reached;
    expect(stored()).toMatchObject([{ outcome: '200', ids: { thing_id: '7', profile_uuid: ANN } }]);
    reading.open();
    expect((await answer).statusCode).toBe(200);
    expect(stored()).toHaveLength(1);
    expect(await listed()).toHaveLength(1);
  });

  it('is answered only after its entry is stored', async () => {
    const storing = gate();
    let isAnswered = false;
    const entries = new MemoryTable(() => storing.pass());
    const answer = send(
      announcing(() => showing(ANN)),
      { audit: () => auditTrail({ ...harness.deps, entries }) },
    ).then((sent) => {
      isAnswered = true;
      return sent;
    });
    await storing.reached;
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    storing.open();
    expect((await answer).statusCode).toBe(200);
    expect(entries.items()).toHaveLength(1);
  });

  it.each([
    ['finds nobody', () => nobody, '404', undefined],
    ['shows somebody else', () => showing(EVE), '200', EVE],
    ['answers with another status', () => ok({ status: 303, audited: { profile_uuid: ANN } }), '303', ANN],
  ] as const)('has a later entry if it %s, and lists show that one', async (_, outcome, status, person) => {
    await send(announcing(outcome));
    expect(stored().map(({ outcome: own, ids }) => ({ outcome: own, ids }))).toMatchObject([
      { outcome: '200', ids: { profile_uuid: ANN } },
      { outcome: status, ids: { thing_id: '7', ...(person !== undefined && { profile_uuid: person }) } },
    ]);
    expect(await listed()).toMatchObject([{ outcome: status }]);
    expect((await listed())[0]?.ids['profile_uuid']).toBe(person);
  });

  it('has a later entry if it fails', async () => {
    const failing = announcing(() => {
      throw new UnavailableError('down');
    });
    expect((await send(failing)).statusCode).toBe(503);
    expect(stored().map(({ outcome }) => outcome)).toEqual(['200', '503']);
    expect(await listed()).toMatchObject([{ outcome: '503', ids: { thing_id: '7' } }]);
  });

  it('shows no data while the audit log cannot record it', async () => {
    const answer = await send(
      announcing(() => showing(ANN)),
      { audit: () => trailThatIsDown(harness.deps) },
    );
    expect(answer.statusCode).toBe(503);
    expect(answer.body).not.toContain('a@x.org');
  });

  it('shows nobody else while the audit log cannot record that', async () => {
    let writes = 0;
    const entries = new MemoryTable(() => {
      writes += 1;
      return writes === 1 ? undefined : Promise.reject(new UnavailableError('down'));
    });
    const answer = await send(
      announcing(() => showing(EVE)),
      { audit: () => auditTrail({ ...harness.deps, entries }) },
    );
    expect(answer.statusCode).toBe(503);
    expect(answer.body).not.toContain('a@x.org');
  });

  it('does not end before its entry is stored or refused, even when it fails', async () => {
    const storing = gate();
    const outcomes: string[] = [];
    const entries = new MemoryTable((_, [key]) => (key?.sk.endsWith('#2') ? undefined : storing.pass()));
    const failing = announcing(() => {
      throw new UnavailableError('down');
    });
    const answer = send(failing, { audit: () => auditTrail({ ...harness.deps, entries }) }).then(() =>
      outcomes.push('answered'),
    );
    await storing.reached;
    while (entries.items().length === 0) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcomes).toEqual([]);
    storing.open();
    await answer;
    expect(entries.items()).toHaveLength(2);
  });

  it('names the first whom it announces', async () => {
    await send((announce) => {
      announce?.({ profile_uuid: ANN });
      announce?.({ profile_uuid: EVE });
      return Promise.resolve(showing(EVE));
    });
    expect(stored().map(({ ids }) => ids)).toMatchObject([{ profile_uuid: ANN }, { profile_uuid: EVE }]);
    expect(await listed()).toMatchObject([{ ids: { profile_uuid: EVE } }]);
  });
});

it.each([0, 1])(
  'lists show each request once, wherever a read of the log ends (%i entries before)',
  async (before) => {
    const trail = auditTrail({ ...harness.deps, entries: harness.auditLog });
    const { account, property } = sample.demo;
    const action = 'GET /v1/{property_id}/things/{thing_id}';
    const partitionOf = (time: number) => auditKeys.entry({ account, time, request: `r${time}` }).pk;
    // All in one partition, of which a read then ends between two entries of a request.
    const times = Array.from({ length: 600 }, (_, time) => time).filter(
      (time) => partitionOf(time) === partitionOf(0),
    );
    const add = (time: number, outcome: string, isLater = false) =>
      trail.add(account, { time, action, outcome, property, request_id: `r${time}` }, { isLater });
    const wanted: string[] = [];
    for (const [at, time] of times.entries()) {
      await add(time, '200');
      if (at >= before) await add(time, `${404 + time}`, true);
      wanted.push(at < before ? '200' : `${404 + time}`);
    }
    expect(wanted.length).toBeGreaterThan(100);
    expect((await listed()).map(({ outcome }) => outcome)).toEqual(wanted);
  },
);

it('a route that shows many people announces nobody', async () => {
  const read: Read = (announce) => Promise.resolve(ok({ status: 200, body: [announce === undefined] }));
  expect((await send(read, {}, 'people')).body).toBe('[true]');
});
