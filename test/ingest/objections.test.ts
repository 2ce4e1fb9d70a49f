/** Objections: later records of whoever objects are refused, or stored without use. */
import { describe, expect, it } from 'vitest';
import { questionsOf, type Enricher } from '../../shared/enrichment/enrichers.ts';
import { replayObjections } from '../../shared/ingest/objection-log.ts';
import { roles } from '../../shared/http/permissions.ts';
import { keys } from '../../shared/table/keys.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { needsPeopleRead } from '../support/answers.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { ofJob, withJobs, jobs } from './undo-harness.ts';
import { ann, begun, betweenAll, kindsOf, type Scene } from './objections-harness.ts';

const [JOB] = jobs;

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
    const made = await object({ unique_id: 'customer-4711', scope: 'storage' });
    expect(made).toMatchObject({ status: 201, profile_uuid: null, kind: 'unique_id', created_by: 3 });
    expect(kindsOf(await store({ unique_id: 'customer-4711' }))).toEqual(['objected']);
    expect(JSON.stringify(await list())).not.toContain('customer-4711');
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
    expect([await segments(), kindsOf(await store(ann, 2))]).toEqual([[], ['objected']]);
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

  it('is told about one identity only to a token that may see people', async () => {
    const { object, list, askList } = begun();
    await object({ email: ann.email, scope: 'use' });
    expect(await list({ email: ann.email })).toHaveLength(1);
    for (const email of [ann.email, 'bob@example.org'])
      expect(await askList({ email }, roles.viewer)).toMatchObject(needsPeopleRead);
    expect((await askList({}, roles.viewer)).ok).toBe(true);
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
          // The claim decides, and no objection is missing in the list, also where nobody repeats the change.
          expect(await list()).toEqual(await list({ email: ann.email }));
          const { id } = await object({ email: ann.email, scope: about });
          expect((await list()).map((one) => one.scope)).toEqual([about]);
          expect(await find()).toMatchObject({ restricted: true });
          expect(await segments()).toEqual([]);
          expect(kindsOf(await store(ann, 9))).toEqual([about === 'use' ? 'updated' : 'objected']);
          await end(id);
          expect([await list(), await find()]).toMatchObject([[], { restricted: false }]);
          expect(kindsOf(await store(ann, 10))).toEqual(['updated']);
          expect(await segments()).toHaveLength(2);
        },
      });
  });

  it('is in the index when its end answers, wherever an earlier end died', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const scene = begun(tick);
        await scene.store(ann);
        return { ...scene, id: (await scene.object({ email: ann.email, scope: 'use' })).id };
      },
      run: ({ end, id }) => end(id),
      check: async ({ end, id, segments }) => {
        await end(id);
        expect(await segments()).toHaveLength(2);
      },
    }));

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

  const other = { ...ann, unique_id: 'u' };

  it('holds for a record that is being stored, wherever the objection comes in between', async () => {
    for (const identity of [{ email: ann.email }, { unique_id: 'u' }])
      for (const known of [[], [ann], [{ unique_id: 'u' }], [ann, { unique_id: 'u', first_name: 'Uwe' }]])
        await betweenAll({
          begin: async (scene) => {
            for (const one of known) await scene.store(one);
          },
          work: ({ store }) => store(other, 5),
          between: async ({ object }) => {
            await object({ ...identity, scope: 'use' });
          },
          check: async ({ find, findId, list, segments }) => {
            expect(await list()).toHaveLength(1);
            const found = 'email' in identity ? await find() : await findId('u');
            expect(found).toMatchObject({ restricted: true });
            // Nobody but the other of two people is in a segment.
            expect((await segments()).length > 0).toBe(
              found?.fields.email !== ann.email || !found.fields.unique_id,
            );
          },
        });
  });

  it('ends for a record that is being stored, wherever the end comes in between', () =>
    betweenAll({
      begin: async ({ store, object }) => {
        await store(ann);
        await object({ unique_id: 'u', scope: 'use' });
      },
      work: ({ store }) => store(other, 5),
      between: async ({ end, list }) => {
        for (const { id } of await list()) await end(id);
      },
      check: async ({ find, list, segments }) => {
        expect(await list()).toEqual([]);
        expect(await find()).toMatchObject({ restricted: false });
        expect(await segments()).toHaveLength(2);
      },
    }));

  it('agrees with the list and with the claim, wherever another change comes in between', async () => {
    const make = (scope: 'use' | 'storage') => async (scene: Scene) => {
      await scene.object({ email: ann.email, scope });
    };
    const stop = async ({ end, list }: Scene) => {
      for (const { id } of await list()) await end(id);
    };
    for (const work of [make('use'), make('storage'), stop])
      for (const between of [make('use'), make('storage'), stop])
        await betweenAll({
          begin: async ({ store, object }) => {
            await store(ann);
            await object({ email: ann.email, scope: 'use' });
          },
          ...{ work, between },
          check: async ({ find, list, store }) => {
            const listed = (await list()).map(({ scope: about }) => about);
            expect(await find()).toMatchObject({ restricted: listed.length > 0 });
            expect(kindsOf(await store(ann, 9))).toEqual([listed[0] === 'storage' ? 'objected' : 'updated']);
          },
        });
  });

  it('of one identity leaves that of another, wherever it comes in between', () =>
    betweenAll({
      begin: async ({ store, object }) => {
        await store(other);
        await object({ unique_id: 'u', scope: 'use' });
      },
      work: async ({ end, list }) => {
        for (const { id, kind } of await list()) if (kind === 'unique_id') await end(id);
      },
      between: async ({ object }) => {
        await object({ email: ann.email, scope: 'use' });
      },
      check: async ({ find }) => {
        expect(await find()).toMatchObject({ restricted: true });
      },
    }));

  it('that is older than an ended one of the same person still counts', async () => {
    const { store, object, end, find, clock } = begun();
    await store(ann);
    const { id } = await object({ email: ann.email, scope: 'use' });
    await object({ unique_id: 'u', scope: 'use' });
    clock.now += 60_000;
    await end(id);
    await store(other, 5);
    expect(await find()).toMatchObject({ restricted: true });
  });

  it('leaves no claim of a living person that expires', async () => {
    const { table, store, object, end } = begun();
    await end((await object({ unique_id: 'u', scope: 'storage' })).id);
    await store(other);
    const claims = table.items('claim');
    expect(claims.map(({ ordinal, ttl }) => [typeof ordinal, typeof ttl])).toEqual([
      ['number', 'object'],
      ['number', 'undefined'],
    ]);
  });

  it('ends with the undo of the import that gave the identity to somebody else', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const scene = begun(tick);
        const { harness } = await withJobs(scene.table, [JOB], { work: new MemoryObjects(tick) });
        await scene.store(ann);
        await scene.object({ unique_id: 'u', scope: 'use' });
        await harness.apply([ofJob(JOB, other, 9)]);
        expect(await scene.find()).toMatchObject({ restricted: true });
        return { ...scene, ...harness };
      },
      run: ({ undo }) => undo(JOB),
      check: async ({ undo, find, list }) => {
        expect(await undo(JOB)).toBe(true);
        expect(await find()).toMatchObject({ restricted: false, fields: { unique_id: null } });
        expect(await list()).toHaveLength(1);
      },
    }));

  it('is found by its identity', async () => {
    const { object, list } = begun();
    await object({ unique_id: 'u', scope: 'storage' });
    await object({ email: ann.email, scope: 'use' });
    expect((await list({ email: 'ANN@example.org' })).map(({ kind }) => kind)).toEqual(['email']);
    expect(await list({ email: 'bob@example.org' })).toEqual([]);
    expect(await list()).toHaveLength(2);
  });

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
