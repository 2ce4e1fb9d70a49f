/** A forgetting that refuses later records: nobody is forgotten without the objections that the request asked for. */
import { expect, it } from 'vitest';
import { objectAhead } from '../../shared/ingest/change-objection.ts';
import { replayObjections } from '../../shared/ingest/objection-log.ts';
import { cleanupTask } from '../../shared/ingest/undo-cleanups.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { objectionRef } from '../../shared/profiles/objections.ts';
import { keys } from '../../shared/table/keys.ts';
import { addTask } from '../../shared/tasks/tasks.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { ann, begun, betweenAll, kindsOf } from './objections-harness.ts';

const known = { ...ann, unique_id: 'u' };
const bob = { email: 'bob@example.org', first_name: 'Bob', source: 'shop' };
const byEither = [{ email: ann.email }, { unique_id: 'u' }];

it('objects to storage for each identity, and its receipt counts what it removes without', async () => {
  const [refusing, plain] = [begun(), begun()];
  await refusing.store(known);
  await plain.store(known);
  await refusing.object({ unique_id: 'u', scope: 'use' });
  await plain.object({ unique_id: 'u', scope: 'use' });
  const receipt = await refusing.forgetAndRefuse({ email: ann.email });
  expect(receipt).toMatchObject({ refused_identities: 2, removed: await plain.forget(0) });
  expect((await refusing.list()).map(({ kind, scope }) => `${kind} ${scope}`).sort()).toEqual([
    'email storage',
    'unique_id storage',
  ]);
  for (const identity of byEither)
    expect(kindsOf(await refusing.store({ ...identity, source: 'web' }, 9))).toEqual(['objected']);
  expect(await refusing.forgetAndRefuse({ email: ann.email })).toBe(404);
});

it('counts the segments of a person whom no objection had taken out of them', async () => {
  const scene = begun();
  await scene.store(known);
  const before = await scene.segments();
  const receipt = await scene.forgetAndRefuse({ unique_id: 'u' });
  expect(before).toHaveLength(2);
  expect(receipt).toMatchObject({ removed: { identities: 2, consent: 0, segments: before.length - 1 } });
  expect(await scene.segments()).toEqual([]);
});

/** The forgetting of a known person, for stories of its death. */
const forgetting = {
  needsAll: true,
  begin: async (tick?: () => void) => {
    const scene = begun(tick);
    await scene.store(known);
    return scene;
  },
  run: ({ forgetAndRefuse }: ReturnType<typeof begun>) => forgetAndRefuse({ email: ann.email }),
};

it('forgets nobody without the objections, wherever it dies, and a repetition ends both', () =>
  dyingAnywhere({
    ...forgetting,
    check: async ({ forgetAndRefuse, list, find, store, segments }) => {
      const isThere = (await find()) !== undefined;
      if (!isThere) expect(await list()).toHaveLength(2);
      const again = await forgetAndRefuse({ email: ann.email });
      // Whoever is gone altogether is 404, as after any forgetting; else the answer is whole.
      expect(again).toEqual(again === 404 ? 404 : expect.objectContaining({ refused_identities: 2 }));
      if (isThere) expect(again).not.toBe(404);
      expect([await find(), await segments()]).toEqual([undefined, []]);
      for (const identity of byEither)
        expect(kindsOf(await store({ ...identity, source: 'web' }, 9))).toEqual(['objected']);
    },
  }));

it('everybody it objected for is restricted as a whole, also when it dies and nobody repeats it', () =>
  dyingAnywhere({
    ...forgetting,
    check: async ({ cleanUp, list, find, segments }) => {
      const inClaims = (await Promise.all(byEither.map(list))).flat();
      expect(new Set((await list()).map(({ id }) => id))).toEqual(new Set(inClaims.map(({ id }) => id)));
      await cleanUp();
      const [objections, person] = [await list(), await find()];
      const isFree = person !== undefined && objections.length === 0;
      expect(await segments()).toEqual(isFree ? expect.anything() : []);
      if (person) expect([person.restricted, person.updatedAt]).toEqual([!isFree, NOW]);
    },
  }));

/** Two people with whose objections a forgetting died, which has a cleanup with this state. */
const diedAhead = async (tick?: () => void, state: object = {}) => {
  const scene = begun(tick);
  const [deps, now] = [scene.deps(), scene.clock.now];
  for (const person of [known, bob]) await scene.store(person);
  const people = [(await scene.find())?.ordinal ?? NaN, (await scene.find(bob.email))?.ordinal ?? NaN];
  await forgottenPeople(scene.table).announce(scope.id, people, now);
  const task = cleanupTask(scope.id, now);
  await addTask(deps, { ...task, state: { ...task.state, ...state } });
  const objection = { scope: 'storage', created: now, created_by: 3 } as const;
  for (const { email } of [known, bob])
    await objectAhead(deps, scope.id, {
      ...objectionRef(scope, { kind: 'email', value: email }),
      objection,
    });
  const restricted = async () => [
    (await scene.find())?.restricted,
    (await scene.find(bob.email))?.restricted,
  ];
  return { ...scene, restricted };
};

it('restricts them wherever the cleanup dies, too', () =>
  dyingAnywhere({
    begin: (tick) => diedAhead(tick),
    run: ({ cleanUp }) => cleanUp(),
    check: async ({ cleanUp, restricted, segments }) => {
      await cleanUp();
      expect([await restricted(), await segments()]).toEqual([[true, true], []]);
    },
  }));

it('restricts the others while one of them is busy, and that one later', async () => {
  const { table, cleanUp, restricted } = await diedAhead();
  const busy = keys.profile(scope.id, 0);
  const get = table.get.bind(table);
  table.get = (key, ...more) =>
    key.pk === busy.pk && key.sk === busy.sk ? Promise.reject(new Error('busy')) : get(key, ...more);
  await expect(cleanUp()).rejects.toThrow('busy');
  table.get = get;
  expect(await restricted()).toEqual([false, true]);
  await cleanUp();
  expect(await restricted()).toEqual([true, true]);
});

it('restricts them in a pass that an earlier version has begun', async () => {
  const state = { until: NOW + 7_200_000, restricted: undefined, block: 3 };
  const { cleanUp, restricted } = await diedAhead(undefined, state);
  await cleanUp();
  expect(await restricted()).toEqual([true, true]);
});

it('stores no record that comes in between for somebody new', () =>
  betweenAll({
    begin: ({ store }) => store(known),
    work: ({ forgetAndRefuse }) => forgetAndRefuse({ unique_id: 'u' }),
    between: ({ store }) => store({ ...ann, source: 'web' }, 5),
    check: async ({ find, findId, segments }) => {
      expect([await find(), await findId('u'), await segments()]).toEqual([undefined, undefined, []]);
    },
  }));

it('refuses also an identity that comes in between, or its record', () => {
  let stored: readonly string[] = [];
  return betweenAll({
    begin: ({ store }) => store(ann),
    work: ({ forgetAndRefuse }) => forgetAndRefuse({ email: ann.email }),
    between: async ({ store }) => {
      stored = kindsOf(await store({ ...ann, unique_id: 'late', source: 'web' }, 5));
    },
    check: async ({ store }) => {
      if (stored.includes('objected')) return;
      expect(kindsOf(await store({ unique_id: 'late', source: 'web' }, 9))).toEqual(['objected']);
    },
  });
});

it('is made again after a restore', async () => {
  const [now, restored] = [begun(), begun()];
  await now.store(known);
  await restored.store(known);
  await restored.table.put(keys.property(scope.id), {
    ...{ account: 1, created: NOW, wrappedKey: new Uint8Array(1) },
  });
  await now.forgetAndRefuse({ unique_id: 'u' });
  const deps = { ...restored.deps(), forgettings: now.log };
  expect(await replayObjections(deps, { from: NOW - 1, after: undefined })).toMatchObject({ looked: 2 });
  expect(await restored.list()).toHaveLength(2);
  expect(kindsOf(await restored.store(known, 9))).toEqual(['objected']);
});
