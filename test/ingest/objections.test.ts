/** Objections: later records of whoever objects are refused, or stored without use. */
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { questionsOf, type Enricher } from '../../shared/enrichment/enrichers.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { forgetPerson } from '../../shared/ingest/forget-person.ts';
import { createObjection, endObjection, listObjections } from '../../shared/ingest/objections.ts';
import { replayObjections } from '../../shared/ingest/objection-log.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { objectionAnswer, objectionBody, objectionsAnswer } from '../../shared/profiles/objection-schemas.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { keys } from '../../shared/table/keys.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { unloadedBrands } from '../support/brands.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { memberships } from './indexed-harness.ts';

const ann = { email: 'ann@example.org', first_name: 'Ann', source: 'shop' };
const user = { id: 3, email: 'api@example.org', first_name: 'A', last_name: 'P' };

/** A property with writers and the routes of objections. */
const begun = (tick?: () => void, kept?: { table: MemoryTable; log: MemoryTable }) => {
  const table = kept?.table ?? new MemoryTable(tick);
  const log = kept?.log ?? new MemoryTable();
  const clock = { now: NOW };
  let calls = 0;
  const call = (): string => `call-${(calls += 1)}-${clock.now}`;
  const deps = () => ({
    ...profileWriter({
      ...{ table, clock: () => clock.now, pause: () => Promise.resolve(), brands: unloadedBrands },
    }),
    ...{ scopeOf: () => Promise.resolve(scope), forgettings: log },
    ...{ baseUrl: 'https://api.example.test', attemptId: call },
  });
  const request = <Body, Query>(body: Body, query: Query, path = {}) => ({
    ...{ requestId: call(), requestKey: call(), now: clock.now, user, body, query, path },
    property: { id: scope.id, account: 1 },
  });
  const store = (sent: object, at = 0) => {
    const record = accepted({ ...sent }, 0, { stamp: `${clock.now + at}.000000000` });
    return applyRecords(deps(), scope, [record], { attemptId: call(), index: 'now' });
  };
  const object = async (body: object) => {
    const answer = await createObjection(deps(), request(v.parse(objectionBody, body), {}));
    if (!answer.ok) throw new Error(answer.error.code);
    return { status: answer.value.status, ...v.parse(objectionAnswer, answer.value.body) };
  };
  const end = async (id: string) => {
    const answer = await endObjection(deps(), request(undefined, {}, { objection: id }));
    return answer.ok ? answer.value.status : answer.error.status;
  };
  const list = async () => {
    const answer = await listObjections(deps(), request(undefined, {}));
    if (!answer.ok) throw new Error(answer.error.code);
    return v.parse(objectionsAnswer, answer.value.body).objections;
  };
  const find = (value = ann.email) =>
    profileRepository({ table }).findByIdentity(scope, { kind: 'email', value });
  const forget = (ordinal: number) => {
    const own = deps();
    return forgetPerson({ ...own, moments: momentMembers(own) }, scope, ordinal, call());
  };
  const segments = async (): Promise<readonly string[]> => {
    const { indexed, derived } = await memberships(table, clock.now);
    expect(indexed).toEqual(derived);
    return Object.keys(indexed);
  };
  return { table, log, clock, deps, store, object, end, list, find, forget, segments };
};

const kindsOf = (outcomes: Awaited<ReturnType<ReturnType<typeof begun>['store']>>) =>
  outcomes.map((one) => (one.kind === 'refused' ? one.refusal.code : one.kind));

describe('an objection to storage', () => {
  it('refuses later records with the identity, also after a forgetting, until it ends', async () => {
    const { store, object, end, find, forget, clock } = begun();
    expect(kindsOf(await store(ann))).toEqual(['created']);
    const { id, status, profile_uuid } = await object({ email: 'ANN@example.org', scope: 'storage' });
    expect([status, typeof profile_uuid]).toEqual([201, 'string']);
    expect(kindsOf(await store({ ...ann, unique_id: 'u' }))).toEqual(['objected']);
    expect(kindsOf(await store({ email: 'bob@example.org' }))).toEqual(['created']);
    await forget((await find())?.ordinal ?? NaN);
    clock.now += 30 * 86_400_000;
    expect(kindsOf(await store(ann))).toEqual(['objected']);
    expect(await end(id)).toBe(200);
    expect(kindsOf(await store(ann))).toEqual(['created']);
    expect(await end(id)).toBe(404);
  });

  it('refuses records of somebody whom nobody knows', async () => {
    const { store, object, list } = begun();
    const made = await object({ unique_id: 'K7', scope: 'storage' });
    expect(made).toMatchObject({ status: 201, profile_uuid: null, kind: 'unique_id', created_by: 3 });
    expect(kindsOf(await store({ unique_id: 'K7' }))).toEqual(['objected']);
    expect(JSON.stringify(await list())).not.toContain('K7');
    expect(await list()).toEqual([
      {
        ...{ id: made.id, kind: 'unique_id', scope: 'storage' },
        ...{ created: '2026-01-15T12:00:00.000Z', created_by: 3 },
      },
    ]);
  });
});

describe('an objection to use', () => {
  it('takes the person out of every segment and every consent, and gives all back when it ends', async () => {
    const { store, object, end, find, segments, clock } = begun();
    const given = { channel: 'email', state: 'given', datetime: '2026-01-01 00:00:00' };
    await store({ ...ann, consent: [given] });
    const before = await segments();
    expect(before).toHaveLength(3);
    const { id } = await object({ email: ann.email, scope: 'use' });
    expect(await segments()).toEqual([]);
    expect(await find()).toMatchObject({
      restricted: true,
      consent: [{ channel: 'email', state: 'withdrawn', datetime: '2026-01-15 12:00:00' }],
    });
    const [outcome] = await store({ ...ann, city: 'Bonn', social_likes: [{ id: 'p' }] }, 1);
    expect(outcome).toMatchObject({ kind: 'updated', warnings: [{ code: 'restricted' }] });
    expect(await segments()).toEqual([]);
    expect(await end(id)).toBe(200);
    expect(await segments()).toEqual(expect.arrayContaining([...before]));
    expect(await find()).toMatchObject({ restricted: false, consent: [{ state: 'given' }] });
    // Again within the same second.
    await object({ email: ann.email, scope: 'use' });
    expect(await segments()).toEqual([]);
    clock.now += 1;
    await object({ email: ann.email, scope: 'storage' });
    expect(await find()).toMatchObject({ restricted: false });
  });

  it('outlives the profile, and asks no enricher about the next one', async () => {
    const { store, object, end, find, forget, segments, clock } = begun();
    await store({ ...ann, unique_id: 'u' });
    const { id } = await object({ email: ann.email, scope: 'use' });
    await forget((await find())?.ordinal ?? NaN);
    clock.now += 30 * 86_400_000;
    const record = accepted({ ...ann }, 0, { stamp: `${clock.now}.000000000` });
    const [outcome] = await store(ann);
    expect(outcome).toMatchObject({ kind: 'created', warnings: [{ code: 'restricted' }] });
    expect(questionsOf([enricher], record, outcome)).toEqual([]);
    expect(await segments()).toEqual([]);
    const [other] = await store({ unique_id: 'u' });
    expect(other).toMatchObject({ kind: 'created', warnings: [] });
    expect(questionsOf([enricher], record, other)).toHaveLength(1);
    await end(id);
    expect(await find()).toMatchObject({ restricted: false });
  });

  it('lasts until the last objection of the person ends', async () => {
    const { store, object, end, find } = begun();
    await store({ ...ann, unique_id: 'u' });
    const first = await object({ email: ann.email, scope: 'use' });
    const second = await object({ unique_id: 'u', scope: 'use' });
    await end(first.id);
    expect(await find()).toMatchObject({ restricted: true });
    await end(second.id);
    expect(await find()).toMatchObject({ restricted: false });
  });
});

const enricher: Enricher = {
  ...{ name: 'network', url: 'https://network.example/', asks: 'identity' },
  ...{ tiers: ['social_network'], secret: new Uint8Array(32) },
};

describe('a change of an objection', () => {
  it('is whole after a death at any operation, once it is repeated', async () => {
    for (const about of ['use', 'storage'] as const)
      await dyingAnywhere({
        begin: async (tick) => {
          const scene = begun(tick);
          await scene.store(ann);
          return scene;
        },
        run: async ({ object, end }) => end((await object({ email: ann.email, scope: about })).id),
        check: async ({ object, end, list, find, store, segments }) => {
          const { id } = await object({ email: ann.email, scope: about });
          expect((await list()).map((one) => one.scope)).toEqual([about]);
          expect(await find()).toMatchObject({ restricted: about === 'use' });
          expect(kindsOf(await store(ann, 9))).toEqual([about === 'use' ? 'updated' : 'objected']);
          await end(id);
          expect([await list(), await find()]).toMatchObject([[], { restricted: false }]);
          expect(kindsOf(await store(ann, 10))).toEqual(['updated']);
          expect(await segments()).toHaveLength(2);
        },
      });
  });

  it('restricts a person whose first record is stored at the same time, wherever its writer dies', () =>
    dyingAnywhere({
      begin: (tick) => Promise.resolve(begun(tick)),
      run: ({ store }) => store(ann),
      check: async ({ object, store, find, segments }) => {
        await object({ email: ann.email, scope: 'use' });
        await store(ann, 1);
        expect(await find()).toMatchObject({ restricted: true });
        expect(await segments()).toEqual([]);
      },
    }));

  it('is made again after a restore', async () => {
    const { table, log, deps, store, object, end, segments, list, clock } = begun();
    await table.put(keys.property(scope.id), { account: 1, created: NOW, wrappedKey: new Uint8Array(1) });
    await store(ann);
    const { id: ended } = await object({ unique_id: 'u', scope: 'storage' });
    const restore = table.backup();
    clock.now += 60_000;
    const { id } = await object({ email: ann.email, scope: 'use' });
    await end(ended);
    restore();
    expect((await list()).map((one) => one.id)).toEqual([ended]);
    const from = clock.now - 30_000;
    expect(await replayObjections(deps(), { from, after: undefined })).toMatchObject({ looked: 2 });
    expect((await list()).map((one) => one.id)).toEqual([id]);
    expect(await segments()).toEqual([]);
    expect(JSON.stringify(log.items())).not.toContain('ann');
  });
});
