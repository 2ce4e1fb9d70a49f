import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { encodeChunk, bitsOf, directoryWriter } from '../../shared/membership/chunk.ts';
import { countMembers } from '../../shared/membership/read-members.ts';
import { writeSegments } from '../../shared/catalogue/segment-items.ts';
import { identityKinds, keys } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { expectConsistent } from './consistency.ts';
import { expectIndexed, indexedHarness, memberships } from './indexed-harness.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';

const CANARY = 'canary-4711';
const ann = {
  unique_id: `u-${CANARY}`,
  email: `${CANARY}@example.org`,
  social_id: `s-${CANARY}`,
  first_name: CANARY,
  birthday: '1990-05-17',
  city: 'Bonn',
  tags: [{ datetime: '2026-01-01 00:00:00', tag: ['jazz', 'folk'] }],
  social_likes: [{ id: 'page 1' }],
  source: 'shop, web',
  extra_data: { note: CANARY },
  consent: [{ channel: 'email', state: 'given', source: CANARY }],
};

const setUp = async () => {
  const table = new MemoryTable();
  const harness = indexedHarness(table);
  const [stored] = await harness.apply([accepted(ann)]);
  if (stored?.kind !== 'created') throw new Error('not stored');
  harness.clock.now += 1_000;
  return { table, ...harness, ordinal: stored.ordinal };
};

const SKEW_MS = limits.clockSkewSeconds * 1000;

/** A record of Ann, accepted a number of milliseconds after the first record. */
const later = (ms: number, sent: object = ann) =>
  accepted({ ...sent }, 0, { stamp: `${NOW + ms}.000000000` });

describe('the forgetting of a person', () => {
  it('removes the profile, its identities and every membership, and returns the numbers', async () => {
    const { table, forget, find, ordinal, clock } = await setUp();
    expect(await forget(ordinal)).toEqual({
      attributes: 3,
      identities: 3,
      extra_data: 1,
      tags: 2,
      social_likes: 1,
      sources: 2,
      consent: 1,
      segments: 8,
      moments: 0,
    });
    for (const kind of identityKinds) expect(await find({ kind, value: ann[kind] })).toBeUndefined();
    expect((await memberships(table, clock.now)).indexed).toEqual({});
    expect(JSON.stringify(table.items())).not.toContain(CANARY);
    expect(table.items('journal')).toEqual([]);
    expectConsistent(table);
    expect(await forget(ordinal)).toBeUndefined();
  });

  it('leaves only a tombstone and claims that expire', async () => {
    const { table, forget, ordinal, clock } = await setUp();
    await forget(ordinal);
    const { pk, sk } = keys.profile(scope.id, ordinal);
    const item = await table.get({ pk, sk });
    expect(item).toEqual({
      pk,
      sk,
      w: item?.w,
      state: null,
      created: null,
      updated_at: null,
      trace: null,
      phones: null,
      pointers: null,
      forgotten: `${clock.now + SKEW_MS}.000000000`,
      unfinished: null,
    });
    const claims = table.items().filter(({ pk: one }) => kindOfKey(one) === 'claim');
    expect(claims).toHaveLength(3);
    for (const claim of claims)
      expect(claim).toMatchObject({ ordinal: null, ttl: clock.now / 1000 + 14 * 86_400 });
  });

  it('removes the person from moments, and leaves everybody else there', async () => {
    const { table, apply, forget, ordinal, clock } = await setUp();
    const [other] = await apply([accepted({ email: 'ben@example.org' })]);
    if (other?.kind !== 'created') throw new Error('not stored');
    const moment = scopedId(scope.id, 900);
    const members = bitsOf([ordinal, other.ordinal]);
    await writeSegments(table, scope.id, [{ id: moment, type: 'moment', path: [], name: 'A moment' }]);
    await directoryWriter({ table, pause: () => Promise.resolve() }).ensure(
      scope.id,
      new Map([[moment, new Set([0])]]),
    );
    await table.put(keys.chunk(scope.id, moment, 0, 0), { members: encodeChunk(members) });
    const facts = { timeline: 1, previous: null, open: false, touched: null };
    await table.put(keys.moment(scope.id, moment), {
      segment: moment,
      ...facts,
      ...{ count: 2, added: null, removed: null },
    });
    expect(await forget(ordinal)).toMatchObject({ moments: 1 });
    expect(await countMembers(table, { property: scope.id, expression: moment })).toBe(1);
    await expectIndexed(table, clock.now);
  });

  it('removes the person from an age band that the person has left since', async () => {
    const { table, forget, ordinal, clock } = await setUp();
    clock.now += 366 * 86_400_000;
    expect((await memberships(table, clock.now)).indexed).toHaveProperty([
      '["demographic",["Demographics","Age"],"Age: 35-44"]',
    ]);
    clock.now += 9 * 366 * 86_400_000;
    await forget(ordinal);
    expect((await memberships(table, clock.now)).indexed).toEqual({});
  });
});

describe('a record accepted before its person was forgotten', () => {
  it('stores nothing when it is processed afterwards', async () => {
    const { table, apply, forget, ordinal } = await setUp();
    await forget(ordinal);
    const before = table.items();
    const outcomes = await apply([later(0), later(999, { email: ann.email, city: 'Rome' })]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['forgotten', 'forgotten']);
    expect(outcomes.map((one) => ('warnings' in one ? one.warnings[0]?.code : ''))).toEqual([
      'forgotten',
      'forgotten',
    ]);
    expect(table.items()).toEqual(before);
  });

  it('stores nothing, even if the clock that accepted it was ahead', async () => {
    const { apply, forget, ordinal, clock } = await setUp();
    await forget(ordinal);
    const ahead = clock.now - NOW + SKEW_MS;
    const outcomes = await apply([later(ahead), later(ahead + 1)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['forgotten', 'created']);
  });

  it('stores nothing, even after the marks of the forgetting have expired', async () => {
    const { table, apply, forget, find, ordinal, clock } = await setUp();
    await forget(ordinal);
    clock.now += limits.profiles.forgottenDays * 86_400_000 + 1;
    for (const { pk, sk, ttl } of table.items())
      if (typeof ttl === 'number' && ttl * 1000 < clock.now)
        await table.write({ kind: 'delete', key: { pk, sk }, expect: {} });
    const [old, fresh] = await apply([later(1_000), later(clock.now - NOW, { email: 'ben@example.org' })]);
    expect(old).toMatchObject({ kind: 'refused', refusal: { code: 'too_old', field: null } });
    expect(fresh).toMatchObject({ kind: 'created' });
    expect(await find({ kind: 'email', value: ann.email })).toBeUndefined();
  });

  it('stores nothing, even after a later record has created a new profile', async () => {
    const { table, apply, forget, find, ordinal, clock } = await setUp();
    await forget(ordinal);
    const [fresh, old] = await apply([later(1_001 + SKEW_MS, { ...ann, city: 'Rome' }), later(500)]);
    expect([fresh?.kind, old?.kind]).toEqual(['created', 'forgotten']);
    expect((await apply([later(500)])).map(({ kind }) => kind)).toEqual(['forgotten']);
    const found = await find({ kind: 'email', value: ann.email });
    expect(found).toMatchObject({ fields: { city: 'Rome' } });
    expect(found?.ordinal).not.toBe(ordinal);
    const claims = table.items('claim');
    expect(claims.filter((item) => typeof item['ttl'] === 'number')).toEqual([]);
    await expectIndexed(table, clock.now);
    expectConsistent(table);
  });

  it('is distinguished from a record of another person who shares an identity', async () => {
    const { table, apply, forget, find, ordinal } = await setUp();
    await apply([accepted({ unique_id: 'ben', city: 'Oslo' })]);
    await forget(ordinal);
    const [outcome] = await apply([later(1, { unique_id: 'ben', email: ann.email, state: 'NO' })]);
    expect(outcome).toMatchObject({ kind: 'updated', warnings: [{ code: 'forgotten' }] });
    expect(await find({ kind: 'email', value: ann.email })).toBeUndefined();
    expect(await find({ kind: 'unique_id', value: 'ben' })).toMatchObject({ fields: { state: 'NO' } });
    expectConsistent(table);
  });
});

it('a synchronous call is never older than a forgetting, whatever the clocks say', async () => {
  const { apply, forget, find, ordinal } = await setUp();
  await forget(ordinal);
  const [outcome] = await apply([{ ...later(-60_000), latest: true }]);
  expect(outcome?.kind).toBe('created');
  expect((await apply([later(1)])).map(({ kind }) => kind)).toEqual(['forgotten']);
  expect(await find({ kind: 'unique_id', value: ann.unique_id })).toBeDefined();
});

it('a forgotten person who comes back can be forgotten again', async () => {
  const { table, apply, forget, ordinal, clock } = await setUp();
  await forget(ordinal);
  const [again] = await apply([{ ...later(0), latest: true }]);
  if (again?.kind !== 'created') throw new Error('not stored');
  clock.now += 1_000;
  expect(await forget(again.ordinal)).toMatchObject({ identities: 3 });
  expect((await apply([later(1_999)])).map(({ kind }) => kind)).toEqual(['forgotten']);
  await expectIndexed(table, clock.now);
});
