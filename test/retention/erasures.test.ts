/** Erasures of segments: exactly the people who were counted are forgotten, whatever happens in between. */
import { describe, expect, it } from 'vitest';
import { dyingAnywhere } from '../support/death.ts';
import { endsAfterDeaths, endsBesideItself, upkeepScene, type UpkeepScene } from './upkeep-harness.ts';

const mail = (n: number): string => `p${n}@example.org`;
const jazz = { tags: [{ tag: ['jazz'], datetime: '2026-01-01 00:00:00' }] };

/** Three people with a tag, one without. */
const people = async (scene: UpkeepScene): Promise<UpkeepScene> => {
  await scene.create();
  for (const n of [0, 1, 2]) await scene.store({ email: mail(n), ...jazz });
  await scene.store({ email: mail(3), city: 'Bonn' });
  return scene;
};
const named = { type: 'tag', name: 'jazz' };
const whole = { status: 'complete', profiles: 3, forgotten: 3 };

/** Begins the erasure of those with the tag. */
const erasing = async (scene: UpkeepScene): Promise<UpkeepScene> => {
  await people(scene);
  expect(await scene.erase({ segment: named, profiles: 3 })).toMatchObject({ profiles: 3 });
  return scene;
};
/** They are forgotten in the end, and the receipt counts them. */
const expectErased = async (scene: UpkeepScene): Promise<void> => {
  await scene.settle();
  expect(await scene.receipts()).toMatchObject([whole]);
  expect(await there(scene)).toEqual([false, false, false, true]);
};

const there = (scene: UpkeepScene) => Promise.all([0, 1, 2, 3].map((n) => scene.isThere(mail(n))));

describe('an erasure', () => {
  it('forgets the people of a segment and nobody else, and its receipt says how many', async () => {
    const scene = await people(upkeepScene());
    const erasure = await scene.erase({ segment: named, profiles: 3 });
    const segment = await scene.idOf('tag', 'jazz');
    expect(erasure).toMatchObject({
      ...{ cause: 'segment', status: 'running', profiles: 3, forgotten: 0, created_by: 3, finished: null },
      segment: { id: segment, ...named },
    });
    await scene.keep();
    const [receipt] = await scene.receipts();
    expect(receipt).toMatchObject(whole);
    expect(receipt?.finished).not.toBeNull();
    expect(await scene.shown(receipt?.id ?? 0)).toEqual(receipt);
    expect(await there(scene)).toEqual([false, false, false, true]);
    expect(await scene.segments()).not.toContain('tag|Tags|jazz');
    // Each forgetting is in the log for a restore, and the list of members is gone.
    expect(scene.log.items()).toHaveLength(3);
    expect(await scene.work.list('erasures/')).toEqual([]);
    expect(await scene.keep()).toBe(0);
  });

  it('forgets nobody when the number is another one, or the segment is not there', async () => {
    const scene = await people(upkeepScene());
    const segment = await scene.idOf('tag', 'jazz');
    expect(await scene.erase({ segment, profiles: 2 })).toBe('count_changed');
    await scene.store({ email: mail(4), ...jazz });
    expect(await scene.erase({ segment, profiles: 3 })).toBe('count_changed');
    expect(await scene.erase({ segment: segment + 100, profiles: 3 })).toBe('invalid');
    expect(await scene.erase({ segment: { type: 'tag', name: 'rock' }, profiles: 3 })).toBe('invalid');
    await scene.keep();
    expect(await there(scene)).toEqual([true, true, true, true]);
    expect(await scene.receipts()).toEqual([]);
    expect(await scene.shown(7)).toBe('not_found');
  });

  it('keeps who has left the segment before it, also where the index does not show that yet', async () => {
    const scene = await people(upkeepScene());
    await scene.store({ email: mail(0), tags: null }, 1_000, 'later');
    expect(await scene.erase({ segment: named, profiles: 3 })).toBe('count_changed');
    await scene.store({ email: mail(1), tags: null }, 1_000, 'later');
    expect(await scene.erase({ segment: named, profiles: 1 })).toMatchObject({ profiles: 1 });
    await scene.settle();
    expect(await there(scene)).toEqual([true, true, false, true]);
  });

  it('forgets nobody as long as the index does not show what was stored before', async () => {
    const scene = await people(upkeepScene());
    await scene.store({ email: mail(0), tags: null }, 1_000, 'later');
    const nobodyDrains = () => Promise.resolve();
    expect(await scene.erase({ segment: named, profiles: 3 }, 'key', nobodyDrains)).toBe('index_behind');
    expect(await scene.receipts()).toEqual([]);
    expect(await scene.erase({ segment: named, profiles: 2 }, 'other')).toMatchObject({ profiles: 2 });
    // A repeated request is answered at once, whatever was stored since.
    await scene.store({ email: mail(1), city: 'Rome' }, 1_000, 'later');
    expect(await scene.erase({ segment: named, profiles: 2 }, 'other', nobodyDrains)).toMatchObject({
      profiles: 2,
    });
  });

  it('keeps who enters the segment later, and takes who leaves it', async () => {
    const scene = await erasing(upkeepScene());
    await scene.store({ email: mail(3), ...jazz }, 1_000);
    await scene.store({ email: mail(0), tags: null }, 1_000);
    await scene.keep();
    expect(await there(scene)).toEqual([false, false, false, true]);
    expect((await scene.receipts())[0]).toMatchObject(whole);
  });

  it('counts who was forgotten by somebody else meanwhile', async () => {
    const scene = await erasing(upkeepScene());
    await scene.forget((await scene.find(mail(1)))?.ordinal ?? 0);
    await scene.keep();
    expect((await scene.receipts())[0]).toMatchObject(whole);
  });

  it('goes on where it stopped for want of time', async () => {
    const scene = await erasing(upkeepScene());
    await scene.keep(() => false);
    expect((await scene.receipts())[0]).toMatchObject({ status: 'running', forgotten: 0 });
    await scene.keep();
    expect((await scene.receipts())[0]).toMatchObject(whole);
  });

  it('is asked for once, however often its request is repeated and wherever it dies', async () => {
    const asked = (scene: UpkeepScene) => scene.erase({ segment: named, profiles: 3 }, 'key');
    await dyingAnywhere<UpkeepScene>({
      begin: (tick) => people(upkeepScene(tick)),
      run: asked,
      check: async (scene) => {
        const first = await asked(scene);
        expect(first).toMatchObject({ profiles: 3 });
        expect(await asked(scene)).toEqual(first);
        await expectErased(scene);
      },
    });
  });

  it('ends with the right number wherever the function dies', () => endsAfterDeaths(erasing, expectErased));

  it('counts everybody once beside a second call of the function', () =>
    endsBesideItself(erasing, expectErased));

  it('ends without its list, which a restored table may name', async () => {
    const scene = await erasing(upkeepScene());
    for (const key of await scene.work.list('erasures/')) await scene.work.remove(key);
    await scene.keep();
    expect((await scene.receipts())[0]).toMatchObject({ status: 'incomplete', profiles: 3, forgotten: 0 });
    expect(await scene.keep()).toBe(0);
  });
});
