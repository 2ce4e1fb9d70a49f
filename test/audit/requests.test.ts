import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { auditTrail } from '../../shared/audit/audit-trail.ts';
import { limits } from '../../shared/config/limits.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { err, ok, type Result } from '../../shared/runtime/result.ts';
import type { ApiAnswer } from '../../shared/http/api-types.ts';
import { missing } from '../../shared/http/not-found.ts';
import { problems, type Problem } from '../../shared/http/problem.ts';
import { authHarness, type AuthHarness } from '../auth/harness.ts';
import { eventOf, sampleRoute, sampleHarness } from '../edge/route.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { textLike } from '../support/answers.ts';
import { inLogOf, trailThatIsDown } from './audit-log.ts';

let harness: AuthHarness;
let sample: Awaited<ReturnType<typeof sampleHarness>>;
beforeEach(async () => {
  harness = authHarness();
  sample = await sampleHarness(harness);
});

const PROFILE = '0190a6b0-0000-7000-8000-000000000001';

/** The sample route as a read of one person. */
const readRoute = (more: object = { shows: 'person' }) => ({
  access: {},
  trigger: {
    method: 'GET',
    path: '/v1/{property_id}/things/{thing_id}',
    auth: 'token',
    permission: 'people.read',
    ...more,
  } as const,
});
/** The handler of a route whose use case has this answer. */
const answering = (answer: Result<ApiAnswer, Problem>, more?: object, around = harness.around) =>
  apiHandler(
    readRoute(more),
    () => Promise.resolve(answer),
    () => undefined,
    { runtime: around },
  );
const seen = ok({ status: 200, audited: { profile_uuid: PROFILE }, body: [{ segment: 'of a@x.org' }] });
const nobody = err(missing('There is no such segment.'));
const read = (more?: object, around = harness.around) => answering(seen, more, around);
const people = { shows: 'people' };
const get = () => eventOf(sample.demo.property, sample.tokens.demo, { method: 'GET', body: undefined });
const down = () => trailThatIsDown(harness.deps);
const entries = () => harness.auditLog.items().filter(({ action }) => action !== 'sign-in');

describe('a change', () => {
  it('the audit log records who changed which resource, when and from where, and no other client input', async () => {
    await sample.send({ body: { name: 'canary' } });
    expect(entries()).toEqual([
      expect.objectContaining({
        pk: inLogOf(sample.demo.account),
        time: harness.time.now,
        action: 'POST /v1/{property_id}/things/{thing_id}',
        outcome: '201',
        property: sample.demo.property,
        user: 1,
        token: textLike(/^[0-9a-f]{8}$/),
        source: textLike(/./),
        ids: { thing_id: '7' },
      }),
    ]);
    expect(JSON.stringify(entries())).not.toMatch(/canary|example\.com/);
    expect(JSON.stringify(entries())).not.toContain(sample.tokens.demo.slice(0, 8));
  });

  it('the audit log records refused and failed changes, but no request of an unknown caller', async () => {
    await sample.send({ body: {} });
    const failing = apiHandler(
      sampleRoute,
      () => Promise.reject(new Error('bug')),
      () => undefined,
      { runtime: harness.around },
    );
    await failing(eventOf(sample.demo.property, sample.tokens.demo, {}));
    await sample.send({ headers: { authorization: 'Bearer x' } });
    expect(
      entries()
        .map(({ outcome }) => outcome)
        .toSorted(),
    ).toEqual(['422', '500']);
  });

  it("a change is answered although the audit log cannot record it, and the function's log holds the entry", async () => {
    harness = authHarness();
    const answered = await sampleHarness(harness, { audit: down });
    expect((await answered.send()).statusCode).toBe(201);
    expect(answered.seen).toHaveLength(1);
    const lost = harness.told().find(isLost);
    expect(lost).toMatchObject({ account: answered.demo.account, user: 1, outcome: '201', level: 'error' });
  });
});

const isLost = (line: unknown): boolean => v.is(v.looseObject({ code: v.literal('audit.lost') }), line);

describe('a hanging table of the audit log', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const hanging = () =>
    auditTrail({ ...harness.deps, entries: new MemoryTable(() => new Promise<never>(() => undefined)) });

  it('a hanging audit log delays a change by two seconds', async () => {
    harness = authHarness();
    const answered = await sampleHarness(harness, { audit: hanging });
    const answer = answered.send();
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await answer).statusCode).toBe(201);
    expect(harness.told().some(isLost)).toBe(true);
  });
});

describe('a read of one person', () => {
  it('the audit log records a read with the id of the person', async () => {
    const { statusCode, body } = await read()(get());
    expect(statusCode).toBe(200);
    expect(body).not.toContain(PROFILE);
    expect(entries()).toMatchObject([{ outcome: '200', ids: { thing_id: '7', profile_uuid: PROFILE } }]);
    expect(JSON.stringify(entries())).not.toContain('a@x.org');
  });

  it('a use case that does not name the person shows no data', async () => {
    expect((await answering(ok({ status: 200, body: [] }))(get())).statusCode).toBe(500);
  });

  it('the audit log records a read that finds no person', async () => {
    await answering(nobody)(get());
    expect(entries()).toMatchObject([{ outcome: '404' }]);
  });

  it('a read of one person shows no data while the audit log cannot record it', async () => {
    const answer = await read(undefined, { ...harness.around, audit: down })(get());
    expect(answer.statusCode).toBe(503);
    expect(answer.body).not.toContain(PROFILE);
  });
});

describe('a read of many people', () => {
  it('the audit log records a read with the ids of its path, found or not', async () => {
    expect((await read(people)(get())).statusCode).toBe(200);
    await answering(nobody, people)(get());
    const told = { action: 'GET /v1/{property_id}/things/{thing_id}', user: 1 };
    expect(entries()).toHaveLength(2);
    expect(entries()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...told, outcome: '404', ids: { thing_id: '7' } }),
        expect.objectContaining({ ...told, outcome: '200' }),
      ]),
    );
  });

  it('a read of many people names no person', async () => {
    expect((await answering(ok({ status: 200, body: [] }), people)(get())).statusCode).toBe(200);
  });

  it('a read of many people shows no data while the audit log cannot record it', async () => {
    const answer = await read(people, { ...harness.around, audit: down })(get());
    expect(answer.statusCode).toBe(503);
    expect(answer.body).not.toContain('a@x.org');
  });
});

describe('people whom an answer names', () => {
  const uuids = (count: number) =>
    Array.from({ length: count }, (_, index) => `${PROFILE.slice(0, -3)}${100 + index}`);

  it('are in the entry as one list, whose length is bounded', async () => {
    const audited = { profile_uuids: uuids(120), segment_ids: [3, 4, 3] };
    await answering(ok({ status: 200, audited }), people)(get());
    const profile_uuids = uuids(limits.audit.namedIds).join(',');
    expect(entries()).toMatchObject([{ ids: { thing_id: '7', profile_uuids, segment_ids: '3,4' } }]);
  });

  it('are in the entry of a refused request, too', async () => {
    const errors = uuids(2).map((detail) => ({ pointer: '/x', code: 'profile_uuid' as const, detail }));
    await answering(err({ ...problems.conflict('several_people', 'Several.'), errors }), people)(get());
    expect(entries()).toMatchObject([{ outcome: '409', ids: { profile_uuids: uuids(2).join(',') } }]);
  });
});

describe('a POST that shows people', () => {
  const shown = ok({ status: 200, audited: { job_id: 12 }, body: ['a@x.org'] });
  const route = { method: 'POST', path: '/v1/{property_id}/inspect', ...people };
  const inspecting = (around = harness.around) => answering(shown, route, around);
  const post = () => eventOf(sample.demo.property, sample.tokens.demo, { body: undefined });

  it('the audit log records the request with the job whose people it shows', async () => {
    expect((await inspecting()(post())).statusCode).toBe(200);
    expect(entries()).toMatchObject([{ outcome: '200', ids: { job_id: 12 } }]);
  });

  it('a repetition under an Idempotency-Key runs again, and its entry names the job, too', async () => {
    const keyed = () =>
      eventOf(sample.demo.property, sample.tokens.demo, {
        body: undefined,
        headers: { 'idempotency-key': 'k' },
      });
    const handler = inspecting();
    for (const event of [keyed(), keyed()]) {
      const { statusCode, headers } = await handler(event);
      expect([statusCode, headers['idempotency-replayed']]).toEqual([200, undefined]);
    }
    expect(entries().map(({ ids }) => ids)).toMatchObject([{ job_id: 12 }, { job_id: 12 }]);
  });

  it('the request shows no data while the audit log cannot record it', async () => {
    const answer = await inspecting({ ...harness.around, audit: down })(post());
    expect(answer.statusCode).toBe(503);
    expect(answer.body).not.toContain('a@x.org');
  });
});

it('the audit log does not record other reads', async () => {
  await read({})(get());
  expect(entries()).toEqual([]);
});

it('the log line of a request names user and token', async () => {
  await sample.send();
  expect(harness.told().at(-1)).toMatchObject({
    code: 'request.answered',
    user: 1,
    token: textLike(/^[0-9a-f]{8}$/),
  });
});
