/** Cleanups of restatements: who was forgotten leaves them, and nothing else changes. */
import { describe, expect, it } from 'vitest';
import { blocksOf, recordsIn, removeRestated, restatementsIn } from '../../shared/ingest/restatements.ts';
import { importOrigin, stateOf, type LwwRegister } from '../../shared/profiles/profile-state.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';
import type { StoredItem } from '../../shared/table/table.ts';
import { dyingAnywhere } from '../support/death.ts';
import { cleanupScene, HOUR_MS } from './cleanup-harness.ts';
import { betweenAllOf } from './objections-harness.ts';

const FAR = 9 * PROFILES_PER_BLOCK;
/** People of each restating job. Job 4 restates nobody but person 2. */
const people = { 2: [1, 2, 3], 3: [2, 3, FAR, FAR + 1], 4: [2] };

const city = (ordinal: number, job: number): LwwRegister => ({
  ...{ area: 'value', tier: 1, name: 'city', value: `city ${ordinal}` },
  ...{ stamp: stampOf(job), origin: importOrigin(7, job) },
});

const restated = (ordinal: number, job: number) => ({
  ...{ ordinal, bytes: 9_999, stored: stateOf([city(ordinal, 1)]) },
  records: [stateOf([city(ordinal, job)])],
});

/** Restatements of properties 1 and 2. `before` is called ahead of every operation. */
const setUp = async (before?: () => Promise<void> | void) => {
  const scene = cleanupScene(before);
  const undoneAmong = () => Promise.resolve(new Set<number>());
  const restatements = restatementsIn({ ...scene.ports, undoneAmong });
  for (const property of [1, 2])
    for (const [job, ordinals] of Object.entries(people)) {
      const blocks = blocksOf(ordinals.map((ordinal) => restated(ordinal, Number(job))));
      await restatements.add(property, `write-${job}`, blocks);
    }
  const items = () => scene.table.items().filter(({ pk }) => pk.includes('#RESTATED#'));
  const forget = async (...ordinals: readonly number[]) => {
    for (const ordinal of ordinals) await scene.forget(1, ordinal);
    scene.clock.now += HOUR_MS + 1;
  };
  return { ...scene, items, forget };
};

/** Such restatements, with the items that there are before anything happens. */
const begunScene = async (before?: () => Promise<void> | void) => {
  const scene = await setUp(before);
  return { ...scene, before: scene.items() };
};

const recordsOf = ({ records }: StoredItem) =>
  records instanceof Uint8Array
    ? [...recordsIn(records)].map(({ ordinal, record }) => ({ ordinal, registers: [...record.values()] }))
    : [];

/** What the items of restatements say, without those who are gone. */
const told = (items: readonly StoredItem[], gone: readonly number[] = []) =>
  items.flatMap((item) => {
    const records = recordsOf(item).filter(
      ({ ordinal }) => item.pk.startsWith('P#2#') || !gone.includes(ordinal),
    );
    return records.length === 0 ? [] : [{ ...item, w: '', records }];
  });

describe('the restatements of a property', () => {
  it('lose who was forgotten, and nobody else; each item keeps its key, its job and its expiry', async () => {
    const { table, clean, items, forget, owed } = await setUp();
    // An item of a page of its own: the search goes on behind the first.
    table.queried = 1;
    const before = items();
    await forget(2, FAR);
    await clean();
    expect(told(items())).toEqual(told(before, [2, FAR]));
    expect(items()).toHaveLength(before.length - 1);
    // Items without the people are not written.
    const others = before.filter(({ pk }) => pk.startsWith('P#2#'));
    expect(items().filter(({ pk }) => pk.startsWith('P#2#'))).toEqual(others);
    await clean();
    expect(owed()).toEqual([]);
  });

  it('keep everybody for an hour, while a writer from before may add to them', async () => {
    const { clock, clean, items, forget } = await setUp();
    const before = items();
    await forget(2);
    clock.now -= 2;
    await clean();
    expect(items()).toEqual(before);
  });

  it('are searched by the next calls, block by block', async () => {
    const { clean, items, forget } = await setUp();
    const before = items();
    await forget(2, ...Array.from({ length: 9 }, (_, n) => FAR + n * PROFILES_PER_BLOCK));
    let steps = 0;
    // The first eight blocks.
    await clean(() => (steps += 1) <= 1);
    const after = items();
    expect(told(after)).toEqual(told(before, [2, FAR]));
    await clean();
    expect(items()).toEqual(after);
  });

  it('lose whoever is forgotten after a pass, also in blocks that the pass has searched', async () => {
    const { clean, items, forget } = await setUp();
    const before = items();
    for (const ordinal of [FAR, 2]) {
      await forget(ordinal);
      await clean();
    }
    expect(told(items())).toEqual(told(before, [2, FAR]));
  });

  it('lose the people in a later call when another writer was faster', async () => {
    const { table, clean, items, forget } = await setUp();
    const before = items();
    await forget(2);
    table.loses = ({ key }) => key.pk.includes('#RESTATED#');
    await clean();
    expect(items()).toEqual(before);
    table.loses = () => false;
    await clean();
    expect(told(items())).toEqual(told(before, [2]));
  });

  it('lose the people wherever a call dies', async () => {
    await dyingAnywhere({
      begin: async (tick) => {
        const scene = await begunScene(tick);
        await scene.forget(2, FAR);
        return scene;
      },
      run: ({ clean }) => clean(),
      check: async ({ clean, items, owed, before }) => {
        for (let calls = 0; calls < 3; calls += 1) await clean();
        expect(told(items())).toEqual(told(before, [2, FAR]));
        expect(owed()).toEqual([]);
      },
    });
  });

  it.each([
    ['another call cleans', undefined],
    ['an item expires', 2],
  ])('lose the people, and no item comes back, though %s ahead of any operation', (_, expired) =>
    betweenAllOf(begunScene, {
      begin: ({ forget }) => forget(2, FAR),
      work: ({ clean }) => clean(),
      between: async ({ table, clean, items }) => {
        if (expired === undefined) await clean();
        for (const { pk, sk } of items().filter(({ job }) => job === expired))
          await table.write({ kind: 'delete', key: { pk, sk }, expect: {} });
      },
      check: async ({ clean, items, owed, before }) => {
        for (let calls = 0; calls < 3; calls += 1) await clean();
        const rest = before.filter(({ job }) => job !== expired);
        expect(told(items())).toEqual(told(rest, [2, FAR]));
        expect(owed()).toEqual([]);
      },
    }),
  );

  it('never get a person back whom another removal has just taken', () =>
    betweenAllOf(begunScene, {
      begin: () => Promise.resolve(),
      work: async ({ table }) => {
        const first = await removeRestated(table, 1, 0, new Set([2]));
        if (first === undefined) await removeRestated(table, 1, 0, new Set([2]));
      },
      between: ({ table }) => removeRestated(table, 1, 0, new Set([1])),
      check: ({ items, before }) => {
        const gone = told(before, [2]).map((item) =>
          item.pk.startsWith('P#1#')
            ? { ...item, records: item.records.filter(({ ordinal }) => ordinal !== 1) }
            : item,
        );
        expect(told(items())).toEqual(gone);
        return Promise.resolve();
      },
    }));
});
