import { describe, expect, it } from 'vitest';
import { PassingRefusal } from '../../../shared/http/passing-refusal.ts';
import { addCondition, renameCondition } from '../../../shared/segments/conditions.ts';
import { progressOf } from '../../../shared/segments/prepare-conditions.ts';
import { readConditions } from '../../../shared/catalogue/conditions/condition-list.ts';
import { readDirectories } from '../../../shared/membership/chunk.ts';
import { keys } from '../../../shared/table/keys.ts';
import { scope } from '../../profiles/harness.ts';
import { dyingAnywhere, type Tick } from '../../support/death.ts';
import { MemoryTable } from '../../support/memory-table.ts';
import { ConditionHarness, MARGIN_MS, user, where } from './harness.ts';

const spends = (name: string, spend: unknown) => ({ unique_id: name, extra_data: { spend } });

describe('a condition', () => {
  it('is seen by nobody who names it before it is ready, and only in the list of its type', async () => {
    const harness = new ConditionHarness();
    await harness.store(spends('a', 700));
    const id = await harness.create(where, 'Big spenders');
    const { catalogue } = harness.people;
    await expect(catalogue.getMany(scope.id, [id])).rejects.toThrow(PassingRefusal);
    await expect(catalogue.visible(scope.id, [id])).rejects.toThrow('is being prepared');
    expect((await catalogue.get(scope.id, id))?.condition).toMatchObject({ ready: false, where });
    await harness.settle();
    expect((await catalogue.getMany(scope.id, [id])).get(id)?.condition).toMatchObject({ ready: true });
    expect(await harness.members(id)).toEqual(['a']);
    expect((await readConditions(harness.table, scope.id)).ready).toEqual([id]);
    expect(harness.tasks()).toEqual([]);
  });

  it('of a rule that has one already is that one', async () => {
    const harness = new ConditionHarness();
    const first = await harness.create(where);
    expect(await harness.create({ ...where, field: 'extra_data.spend' }, 'Another name')).toBe(first);
    await harness.settle();
    expect(await harness.create(where)).toBe(first);
    expect((await harness.people.catalogue.list(scope.id, { limit: 10 })).items).toHaveLength(2);
  });

  it('is not prepared before every write of a profile knows it', async () => {
    const harness = new ConditionHarness();
    await harness.store(spends('a', 700));
    const id = await harness.create(where);
    const begun = harness.now;
    const shown = [0];
    while (!(await harness.isReady(id))) {
      shown.push(await progressOf(harness.table, scope.id, id, harness.now));
      harness.now += 1_000;
      await harness.look();
    }
    // People see it advance with the time, and never at its end.
    expect(shown.toSorted((one, other) => one - other)).toEqual(shown);
    expect([new Set(shown).size > 90, (shown.at(-1) ?? 1) < 1]).toEqual([true, true]);
    // A refresh of 5 s, a window of 30 s, and the margin.
    expect(harness.now - begun).toBeGreaterThanOrEqual(35_000 + MARGIN_MS);
    expect(harness.now - begun).toBeLessThan(160_000);
  });

  it('gets another name without a change of its members, and is found by it', async () => {
    const harness = new ConditionHarness();
    await harness.store(spends('a', 700));
    const id = await harness.create(where, 'One');
    await harness.settle();
    const ports = { table: harness.table, pause: () => Promise.resolve() };
    expect(await renameCondition(ports, scope.id, id, 'Other')).toMatchObject({ ok: true });
    const { catalogue } = harness.people;
    expect((await catalogue.find(scope.id, 'other', { limit: 5 })).items).toMatchObject([{ id }]);
    expect((await catalogue.find(scope.id, 'one', { limit: 5 })).items).toEqual([]);
    expect(await harness.create(where)).toBe(id);
    expect(await harness.members(id)).toEqual(['a']);
  });

  it('is one of 200 at most', async () => {
    const harness = new ConditionHarness();
    for (let value = 0; value < 200; value += 1) await harness.create({ ...where, op: 'gte', value });
    const ports = { table: harness.table, pause: () => Promise.resolve() };
    const draft = { name: 'One more', where, created: harness.now, created_by: user };
    expect(await addCondition(ports, scope.id, draft)).toEqual({ ok: false, error: 'segment_limit' });
    // A rule that has a condition needs no room.
    await harness.create({ ...where, op: 'gte', value: 7 });
    await harness.store(spends('a', 100));
    await harness.settle();
    expect((await readConditions(harness.table, scope.id)).ready).toHaveLength(200);
    const list = await harness.people.catalogue.list(scope.id, { limit: 1_000 });
    const at100 = list.items.find(({ key }) => key?.includes('101') === true);
    expect(await harness.members(at100?.id ?? 0)).toEqual([]);
  });

  it('leaves nothing behind once it is deleted, ready or not, and a later one has another id', async () => {
    const harness = new ConditionHarness();
    await harness.store(spends('a', 700));
    const id = await harness.create(where);
    await harness.settle();
    await harness.remove(id);
    expect(await harness.people.catalogue.get(scope.id, id)).toBeUndefined();
    const again = await harness.create(where);
    expect(again).not.toBe(id);
    await harness.store(spends('b', 800));
    await harness.remove(again);
    await harness.settle();
    const left = harness.table
      .items()
      .filter(({ pk }) => pk.includes(`M#${id}`) || pk.includes(`M#${again}`));
    expect(left).toEqual([]);
    expect((await readDirectories(harness.table, scope.id, [id])).get(id) ?? []).toEqual([]);
    expect(await harness.table.get(keys.segment(scope.id, id))).toBeUndefined();
    expect(await readConditions(harness.table, scope.id)).toMatchObject({
      preparing: [],
      ready: [],
      dropped: [],
    });
    expect(harness.tasks()).toEqual([]);
  });
});

it('a condition that is deleted while a walk is under way is not filled any more, and nothing is left of it', async () => {
  const harness = new ConditionHarness();
  await harness.store(spends('a', 700));
  await harness.table.increment(keys.counter(scope.id, 'ordinal'), 3_000_000);
  const [gone, kept] = [
    await harness.create(where),
    await harness.create({ ...where, op: 'gt', value: 600 }),
  ];
  await harness.look();
  harness.now += 150_000;
  // Time is over after the first blocks.
  const waits = async (): Promise<void> => {
    await harness.drain();
    harness.now += 25_000;
  };
  await harness.look(waits);
  expect(await progressOf(harness.table, scope.id, gone, harness.now)).toBeLessThan(1);
  await harness.remove(gone);
  for (let minutes = 0; minutes < 12; minutes += 1) {
    harness.now += 60_000;
    await harness.look(waits);
  }
  expect(await harness.isReady(kept)).toBe(true);
  expect(harness.table.items().filter(({ pk }) => pk.includes(`M#${gone}`))).toEqual([]);
  expect(await harness.members(kept)).toEqual(['a']);
});

const scene = async (tick: Tick) => {
  const harness = new ConditionHarness(new MemoryTable(tick));
  await harness.store(spends('a', 700), spends('b', 3), spends('c', '500.0'));
  return { harness };
};

describe('with a death at any operation', () => {
  it('a condition is made once, is prepared, and has exactly its members', async () => {
    await dyingAnywhere({
      begin: scene,
      run: async ({ harness }, through) => {
        await through(() => harness.create(where));
        harness.now += 200_000;
        await through(() => harness.look());
      },
      check: async ({ harness }) => {
        const id = await harness.create(where);
        await harness.store(spends('d', 501));
        await harness.settle();
        expect(await harness.isReady(id)).toBe(true);
        expect(await harness.members(id)).toEqual(['a', 'c', 'd']);
        expect(harness.tasks()).toEqual([]);
      },
    });
  });

  it('a condition is deleted once, and nothing is left of it', async () => {
    await dyingAnywhere({
      begin: async (tick) => {
        const { harness } = await scene(tick);
        const id = await harness.create(where);
        await harness.settle();
        return { harness, id };
      },
      run: async ({ harness, id }, through) => {
        await through(() => harness.remove(id).catch(orGone));
        harness.now += 200_000;
        await through(() => harness.look());
      },
      check: async ({ harness, id }) => {
        await harness.remove(id).catch(orGone);
        await harness.settle();
        expect(harness.table.items().filter(({ pk }) => pk.includes(`M#${id}`))).toEqual([]);
        expect(await harness.table.get(keys.segment(scope.id, id))).toBeUndefined();
        expect(harness.tasks()).toEqual([]);
      },
    });
  });
});

/** A deletion that was done before its process died. */
const orGone = (error: unknown): void => {
  if (!(error instanceof Error) || error.message !== 'not removed') throw error;
};
