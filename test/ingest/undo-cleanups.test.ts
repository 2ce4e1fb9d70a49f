/** Cleanups of undo logs: who was forgotten leaves them, and nothing else changes. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { undoListKey, undoLog, withoutPeople, type UndoEntry } from '../../shared/ingest/undo-log.ts';
import { emptyState } from '../../shared/profiles/profile-state.ts';
import { encodeState, profileItem } from '../../shared/profiles/stored-profile.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { keys } from '../../shared/table/keys.ts';
import { scope } from '../profiles/harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { cleanupScene, HOUR_MS } from './cleanup-harness.ts';

const MINUTE = 60_000;

/** An entry of a person: a former name. */
const entryOf = (ordinal: number): UndoEntry => ({
  ordinal,
  brought: [],
  beneath: [
    {
      area: 'value',
      tier: 1,
      name: 'first_name',
      value: `name ${ordinal}`,
      stamp: stampOf(1),
      origin: 'api',
    },
  ],
  late: [],
});

/** Undo logs of properties 1 and 2, and their cleanups. `tick` is called ahead of every operation. */
const setUp = async (tick?: () => void) => {
  const scene = cleanupScene(tick);
  const { work } = scene;
  const log = undoLog({ work, undoneAmong: () => Promise.resolve(new Set<number>()) });
  const add = (property: number, job: number, name: string, ordinals: readonly number[]) =>
    log.add(property, name, new Map([[job, ordinals.map(entryOf)]]));
  for (const property of [1, 2]) {
    await add(property, 7, 'a', [1, 2, 3]);
    await add(property, 7, 'b', [5, 900]);
    await add(property, 8, 'c', [2]);
    await add(property, 9, 'd', [4]);
    await work.put(undoListKey(property, 7, 'x'), '["a list"]');
  }
  return {
    ...{ ...scene, add },
    /** The people in the log of a property. */
    people: async (property: number) => {
      const found: number[] = [];
      for (const key of await work.list(`undo/${property}/`)) {
        if (key.includes('/lists/')) continue;
        const text = gunzipSync((await work.get(key)) ?? Buffer.of()).toString();
        found.push(...Array.from(text.matchAll(/"name (\d+)"/g), ([, who]) => Number(who)));
      }
      return found.toSorted((a, b) => a - b);
    },
  };
};

const all = [1, 2, 2, 3, 4, 5, 900];

describe('the undo log of a property', () => {
  it('loses who was forgotten, an hour later, and nobody else; objects and lists stay', async () => {
    const { clock, work, clean, forget, people, owed } = await setUp();
    const keysBefore = await work.list('undo/');
    const untouched = await work.get(keysBefore.find((key) => key.endsWith('-d')) ?? '');
    await forget(1, 2);
    clock.now += HOUR_MS - MINUTE;
    const [noted] = owed();
    expect(noted?.due).toBeGreaterThan(clock.now);
    await clean();
    expect(await people(1)).toEqual(all);
    expect(owed()).toMatchObject([{ state: noted?.state }]);
    clock.now += 2 * MINUTE;
    await clean();
    expect(await people(1)).toEqual([1, 3, 4, 5, 900]);
    expect(await people(2)).toEqual(all);
    expect(await work.list('undo/')).toEqual(keysBefore);
    expect(await work.get(keysBefore.find((key) => key.endsWith('-d')) ?? '')).toEqual(untouched);
    expect(Buffer.from((await work.get(undoListKey(1, 7, 'x'))) ?? []).toString()).toBe('["a list"]');
    // The next call finds nobody else, and ends the cleanup.
    expect(owed()).toHaveLength(1);
    await clean();
    expect(owed()).toEqual([]);
  });

  it('keeps who was not forgotten in the end, because the attempt died and a record came first', async () => {
    const { clock, table, clean, announce, people, owed } = await setUp();
    await table.put(keys.profile(1, 2), profileItem(encodeState(emptyState), clock.now));
    await announce(1, [2, 3]);
    clock.now += 2 * HOUR_MS;
    await clean();
    expect(await people(1)).toEqual(all.filter((ordinal) => ordinal !== 3));
    await clean();
    expect(owed()).toEqual([]);
  });

  it('loses who was forgotten though somebody who was not is busy, and its pass does not end before', async () => {
    const { clock, table, clean, announce, people, owed } = await setUp();
    const busy = keys.profile(scope.id, 2);
    await table.put(keys.profile(1, 2), profileItem(encodeState(emptyState), clock.now));
    await announce(1, [2, 3]);
    clock.now += 2 * HOUR_MS;
    const get = table.get.bind(table);
    table.get = (key, ...more) =>
      key.pk === busy.pk && key.sk === busy.sk ? Promise.reject(new Error('busy')) : get(key, ...more);
    for (let time = 0; time < 2; time += 1) {
      await expect(clean()).rejects.toThrow('busy');
      expect(await people(1)).toEqual(all.filter((ordinal) => ordinal !== 3));
    }
    table.get = get;
    await clean();
    await clean();
    expect(owed()).toEqual([]);
  });

  it('loses entries that a writer under way added after the forgetting', async () => {
    const { clock, add, clean, forget, people } = await setUp();
    await forget(1, 2);
    clock.now += 10 * MINUTE;
    await add(1, 9, 'late', [2, 6]);
    clock.now += HOUR_MS;
    await clean();
    expect(await people(1)).toEqual([1, 3, 4, 5, 6, 900]);
  });

  it('loses people who are forgotten one after the other, also while a pass is under way', async () => {
    const { clock, clean, forget, people, owed } = await setUp();
    await forget(1, 1);
    clock.now += HOUR_MS;
    let steps = 0;
    // The restatements and one page, and the pass is not over.
    await clean(() => (steps += 1) <= 2);
    await forget(1, 900);
    await clean();
    expect(await people(1)).toEqual([2, 2, 3, 4, 5, 900]);
    clock.now += HOUR_MS;
    await clean();
    expect(await people(1)).toEqual([2, 2, 3, 4, 5]);
    await clean();
    expect(owed()).toEqual([]);
  });

  it('is cleaned though its end and an announcement meet', async () => {
    const { clock, table, announce, clean, forget, people, owed } = await setUp();
    await forget(1, 1);
    clock.now += HOUR_MS;
    await clean();
    // Somebody is announced between the look for people and the removal of the cleanup.
    const write = table.write.bind(table);
    table.write = async (one) => {
      if (one.kind === 'delete') {
        table.write = write;
        await announce(1, [3]);
      }
      return write(one);
    };
    await clean();
    expect(owed()).toHaveLength(1);
    clock.now += 2 * HOUR_MS;
    await clean();
    expect(await people(1)).toEqual([2, 2, 4, 5, 900]);
  });

  it('is cleaned of later people when those of a pass were not forgotten in the end', async () => {
    const { clock, announce, forgotten, clean, forget, people } = await setUp();
    const announced = await announce(1, [1]);
    clock.now += 2 * HOUR_MS;
    await clean(() => false);
    await forgotten.settle(announced, [], clock.now);
    await forget(1, 2);
    await clean();
    clock.now += HOUR_MS;
    await clean();
    expect(await people(1)).toEqual(all.filter((ordinal) => ordinal !== 2));
  });

  it('is cleaned though the log of another property cannot be read', async () => {
    const { clock, work, clean, forget, people } = await setUp();
    await forget(1, 1);
    await forget(2, 1);
    clock.now += HOUR_MS;
    const listAfter = work.listAfter.bind(work);
    work.listAfter = (folder, after) =>
      folder === 'undo/1/' ? Promise.reject(new Error('broken')) : listAfter(folder, after);
    await expect(clean()).rejects.toThrow('broken');
    expect([await people(1), await people(2)]).toEqual([all, [2, 2, 3, 4, 5, 900]]);
  });

  it('is cleaned by the next calls, wherever a call dies', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const scene = await setUp(tick);
        for (const ordinal of [1, 2]) await scene.forget(1, ordinal);
        scene.clock.now += HOUR_MS;
        return scene;
      },
      run: ({ clean }) => clean(),
      check: async ({ clean, people, owed }) => {
        for (let calls = 0; calls < 3; calls += 1) await clean();
        expect(await people(1)).toEqual([3, 4, 5, 900]);
        expect(owed()).toEqual([]);
      },
    }));
});

it('a damaged object, and one without the people, are left alone', async () => {
  const { work } = await setUp();
  const [key = ''] = await work.list('undo/1/7/');
  const bytes = (await work.get(key)) ?? Buffer.of();
  expect(withoutPeople(bytes, new Set([77]))).toBeUndefined();
  expect(withoutPeople(Buffer.from('damaged'), new Set([1]))).toBeUndefined();
});
