/** What a change of an objection owes to claims that others write, to contended items, and to whoever objected first. */
import { expect, it } from 'vitest';
import { changeObjection } from '../../shared/ingest/change-objection.ts';
import { replayObjections } from '../../shared/ingest/objection-log.ts';
import { identityRef } from '../../shared/profiles/identity-claims.ts';
import { objectionRef } from '../../shared/profiles/objections.ts';
import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import { keys } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { ann, begun, betweenAll, type Scene } from './objections-harness.ts';

const email = { email: ann.email };
const known = { ...ann, unique_id: 'u' };
const ttlOf = ({ table }: Scene): unknown =>
  table.items('claim').find(({ pk }) => pk === identityRef(scope, own).key.pk)?.['ttl'];
const own = { kind: 'email', value: ann.email } as const;

/** The next write of a kind to an item of a kind is refused, as beside a faster writer. */
const loseOnce = ({ table }: Scene, kind: string, item: ReturnType<typeof kindOfKey>): void => {
  table.loses = (write) => {
    const isLost = write.kind === kind && kindOfKey(write.key.pk) === item;
    if (isLost) table.loses = () => false;
    return isLost;
  };
};
const nonceOf = async ({ table }: Scene): Promise<unknown> => (await table.get(keys.profile(scope.id, 0)))?.w;

it('a claim expires behind its objection only when nobody has it and it keeps nothing', async () => {
  const scene = begun();
  await scene.store(ann);
  await scene.end((await scene.object({ ...email, scope: 'use' })).id);
  expect(ttlOf(scene) ?? null).toBeNull();
  await scene.forget(0);
  const { id } = await scene.object({ ...email, scope: 'use' });
  expect(ttlOf(scene) ?? null).toBeNull();
  await scene.end(id);
  expect(ttlOf(scene)).toEqual(expect.any(Number));
});

it('a claim that keeps a withdrawal does not expire with the end of its objection', async () => {
  const scene = begun();
  await scene.store({ ...ann, consent: [{ channel: 'email', state: 'withdrawn' }] });
  await scene.forget(0);
  await scene.end((await scene.object({ ...email, scope: 'use' })).id);
  expect(ttlOf(scene) ?? null).toBeNull();
});

it('the end of an objection makes no claim', async () => {
  const { table, deps } = begun();
  const ended = { ...objectionRef(scope, own), objection: null };
  await changeObjection({ ...deps() }, scope, ended, 'attempt');
  expect(table.items('claim')).toEqual([]);
});

it('a claim that somebody takes while its objection ends does not expire', () =>
  betweenAll({
    begin: async ({ object }) => {
      await object({ ...email, scope: 'use' });
    },
    work: async ({ list, end }) => {
      const [one] = await list();
      await end(one?.id ?? '');
    },
    between: ({ store }) => store(ann, 5),
    check: async (scene) => {
      expect(await scene.find()).toBeDefined();
      expect(ttlOf(scene) ?? null).toBeNull();
    },
  }));

it('starts over where another writer of the claim or of the profile was faster', async () => {
  for (const item of ['claim', 'profile'] as const) {
    const scene = begun();
    await scene.store(ann);
    loseOnce(scene, 'update', item);
    await scene.object({ ...email, scope: 'use' });
    expect(await scene.find(), item).toMatchObject({ restricted: true });
    expect(await scene.segments(), item).toEqual([]);
  }
});

it('gives the profile another nonce also where another writer was faster than a change that needs none', async () => {
  const scene = begun();
  await scene.store(ann);
  await scene.object({ ...email, scope: 'use' });
  const before = await nonceOf(scene);
  loseOnce(scene, 'update', 'profile');
  await scene.object({ ...email, scope: 'storage' });
  expect(await nonceOf(scene)).not.toBe(before);
});

it('gives a profile that lacks the identity another nonce, also where another writer was faster', async () => {
  const scene = begun();
  await scene.store(ann);
  const late = identityRef(scope, { kind: 'email', value: 'late@example.org' });
  await scene.table.write({ kind: 'insert', key: late.key, set: { ordinal: 0 } });
  const before = await nonceOf(scene);
  loseOnce(scene, 'update', 'profile');
  await scene.object({ email: 'late@example.org', scope: 'use' });
  expect(await nonceOf(scene)).not.toBe(before);
});

it('closes an ordinal without an item, also where another writer was faster', async () => {
  const scene = begun();
  await scene.table.write({ kind: 'insert', key: identityRef(scope, own).key, set: { ordinal: 7 } });
  loseOnce(scene, 'insert', 'profile');
  await scene.object({ ...email, scope: 'use' });
  expect(parseEntry(await scene.table.get(keys.profile(scope.id, 7))).kind).toBe('forgotten');
});

it('a forgetting that refuses later records leaves an earlier objection as it is', async () => {
  const scene = begun();
  await scene.store(known);
  const { id, created } = await scene.object({ ...email, scope: 'storage' });
  scene.clock.now += 60_000;
  expect(await scene.forgetAndRefuse(email)).toMatchObject({ refused_identities: 2 });
  expect((await scene.list()).find((one) => one.id === id)?.created).toBe(created);
});

it('a forgetting that refuses lists what it objects to, wherever an earlier objection ends in between', () =>
  betweenAll({
    begin: async ({ store, object }) => {
      await store(known);
      await object({ ...email, scope: 'use' });
    },
    work: ({ forgetAndRefuse }) => forgetAndRefuse(email),
    between: ({ end }) => end(objectionRef(scope, own).id),
    check: async ({ list }) => {
      const inClaims = [...(await list(email)), ...(await list({ unique_id: 'u' }))].map(({ id }) => id);
      expect(new Set((await list()).map(({ id }) => id))).toEqual(new Set(inClaims));
    },
  }));

it('an objection that is made again says who made it first, and when', async () => {
  const scene = begun();
  const { created } = await scene.object({ ...email, scope: 'use' });
  scene.clock.now += 60_000;
  expect((await scene.object({ ...email, scope: 'use' })).created).toBe(created);
});

it('the claim of an objection does not expire when its person is forgotten', async () => {
  const scene = begun();
  await scene.store(ann);
  await scene.object({ ...email, scope: 'use' });
  await scene.forget(0);
  expect(ttlOf(scene) ?? null).toBeNull();
  expect(await scene.list()).toHaveLength(1);
});

it('no objection is made again in a property that was deleted since', async () => {
  const [now, restored] = [begun(), begun()];
  await now.object({ ...email, scope: 'use' });
  const deps = { ...restored.deps(), forgettings: now.log };
  expect(await replayObjections(deps, { from: NOW - 1, after: undefined })).toMatchObject({ looked: 1 });
  expect(restored.table.items()).toEqual([]);
});
