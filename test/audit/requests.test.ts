import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import { auditTrail } from '../../shared/audit/audit-trail.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { err, ok } from '../../shared/runtime/result.ts';
import { problems } from '../../shared/http/problem.ts';
import { authWorld, type AuthWorld } from '../auth/world.ts';
import { eventOf, sampleRoute, sampleWorld } from '../edge/route.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { textLike } from '../support/answers.ts';

let world: AuthWorld;
let sample: Awaited<ReturnType<typeof sampleWorld>>;
beforeEach(async () => {
  world = authWorld();
  sample = await sampleWorld(world);
});

const PROFILE = '0190a6b0-0000-7000-8000-000000000001';

/** The sample route as a read of a person. */
const readRoute = (more: object = { shows: 'person' }) => ({
  access: [],
  trigger: { method: 'GET', path: '/v1/{property_id}/things/{thing_id}', auth: 'token', ...more } as const,
});
const read = (more?: object, around = world.around) =>
  apiHandler(
    readRoute(more),
    () =>
      Promise.resolve(
        ok({ status: 200, audited: { profile_uuid: PROFILE }, body: [{ segment: 'of a@x.org' }] }),
      ),
    () => undefined,
    around,
  );
const get = () => eventOf(sample.demo.property, sample.tokens.demo, { method: 'GET', body: undefined });
const down = () =>
  auditTrail({
    entries: new MemoryTable(() => Promise.reject(new UnavailableError('down'))),
    ...world.deps,
  });
const entries = () => world.auditLog.items().filter(({ action }) => action !== 'sign-in');

describe('a change', () => {
  it('is told with who, what, when and from where, and nothing else that a client wrote', async () => {
    await sample.send({ body: { name: 'canary' } });
    expect(entries()).toEqual([
      expect.objectContaining({
        pk: `AUDIT#${sample.demo.account}`,
        time: world.time.now,
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

  it('is told when it is refused or fails, and not before the caller is known', async () => {
    await sample.send({ body: {} });
    const failing = apiHandler(
      sampleRoute,
      () => Promise.reject(new Error('bug')),
      () => undefined,
      world.around,
    );
    await failing(eventOf(sample.demo.property, sample.tokens.demo, {}));
    await sample.send({ headers: { authorization: 'Bearer x' } });
    expect(entries().map(({ outcome }) => outcome)).toEqual(['422', '500']);
  });

  it('is answered although it cannot be told, and the log has the entry', async () => {
    world = authWorld();
    const answered = await sampleWorld(world, { audit: down });
    expect((await answered.send()).statusCode).toBe(201);
    expect(answered.seen).toHaveLength(1);
    const lost = world.lines.map((line): unknown => JSON.parse(line)).find(isLost);
    expect(lost).toMatchObject({ account: answered.demo.account, user: 1, outcome: '201', level: 'error' });
  });
});

const isLost = (line: unknown): boolean => v.is(v.looseObject({ code: v.literal('audit.lost') }), line);

describe('a table of the audit log that hangs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const hanging = () =>
    auditTrail({ ...world.deps, entries: new MemoryTable(() => new Promise<never>(() => undefined)) });

  it('holds a change up for two seconds', async () => {
    world = authWorld();
    const answered = await sampleWorld(world, { audit: hanging });
    const answer = answered.send();
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await answer).statusCode).toBe(201);
    expect(world.lines.map((line): unknown => JSON.parse(line)).some(isLost)).toBe(true);
  });
});

describe('a read of one person', () => {
  it('is told with the id of the person', async () => {
    const { statusCode, body } = await read()(get());
    expect(statusCode).toBe(200);
    expect(body).not.toContain(PROFILE);
    expect(entries()).toMatchObject([{ outcome: '200', ids: { thing_id: '7', profile_uuid: PROFILE } }]);
    expect(JSON.stringify(entries())).not.toContain('a@x.org');
  });

  it('is not shown by a use case that does not say whose data it shows', async () => {
    const silent = apiHandler(
      readRoute(),
      () => Promise.resolve(ok({ status: 200, body: [] })),
      () => undefined,
      world.around,
    );
    expect((await silent(get())).statusCode).toBe(500);
  });

  it('is told when nobody is found', async () => {
    const none = apiHandler(
      readRoute(),
      () => Promise.resolve(err(problems.notFound())),
      () => undefined,
      world.around,
    );
    await none(get());
    expect(entries()).toMatchObject([{ outcome: '404' }]);
  });

  it('shows nothing while it cannot be told', async () => {
    const answer = await read(undefined, { ...world.around, audit: down })(get());
    expect(answer.statusCode).toBe(503);
    expect(answer.body).not.toContain(PROFILE);
  });
});

describe('a read of many people', () => {
  it('is told with the ids of its path, found or not', async () => {
    expect((await read({ shows: 'people' })(get())).statusCode).toBe(200);
    const gone = apiHandler(
      readRoute({ shows: 'people' }),
      () => Promise.resolve(err(problems.notFound())),
      () => undefined,
      world.around,
    );
    await gone(get());
    const told = { action: 'GET /v1/{property_id}/things/{thing_id}', user: 1 };
    expect(entries()).toHaveLength(2);
    expect(entries()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...told, outcome: '404', ids: { thing_id: '7' } }),
        expect.objectContaining({ ...told, outcome: '200' }),
      ]),
    );
  });

  it('needs to name nobody', async () => {
    const route = apiHandler(
      readRoute({ shows: 'people' }),
      () => Promise.resolve(ok({ status: 200, body: [] })),
      () => undefined,
      world.around,
    );
    expect((await route(get())).statusCode).toBe(200);
  });

  it('shows nothing while it cannot be told', async () => {
    const answer = await read({ shows: 'people' }, { ...world.around, audit: down })(get());
    expect(answer.statusCode).toBe(503);
    expect(answer.body).not.toContain('a@x.org');
  });
});

it('every route that shows data of people is in the log', () => {
  const told = Object.entries(manifest).flatMap(([name, { trigger }]) =>
    trigger.kind === 'http' && trigger.shows !== undefined ? [[name, trigger.shows]] : [],
  );
  const advice = 'Add a new entry with `shows` to this list';
  expect(Object.fromEntries(told), advice).toEqual({
    getProfile: 'person',
    listProfileSegments: 'person',
    explainMembership: 'person',
    listSegmentProfiles: 'people',
    listTimelineChanges: 'people',
    listImportErrors: 'people',
    listImportWarnings: 'people',
  });
});

it('other reads are not told', async () => {
  await read({})(get());
  expect(entries()).toEqual([]);
});

it('the line of a request names user and token', async () => {
  await sample.send();
  const line: unknown = JSON.parse(world.lines.at(-1) ?? '');
  expect(line).toMatchObject({ code: 'request.answered', user: 1, token: textLike(/^[0-9a-f]{8}$/) });
});
