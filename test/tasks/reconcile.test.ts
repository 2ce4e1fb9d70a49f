import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { keys } from '../../shared/table/keys.ts';
import type { Looked } from '../../shared/tasks/reconcile.ts';
import { removeTask } from '../../shared/tasks/tasks.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { gate } from '../support/table-view.ts';
import { frozenAt } from '../support/frozen.ts';
import { NEIGHBOUR, PAUSE_MS, task, tasksHarness } from './harness.ts';

const DUE = Date.parse('2026-01-15T00:01:00Z');

describe('a task', () => {
  it('is looked at once it is due, and ends when nothing is missing', async () => {
    const harness = tasksHarness();
    await harness.add(task(1, DUE + 1));
    expect(await harness.run()).toEqual({ count: 0, postponed: 0 });
    harness.clock.now += 1;
    expect(await harness.run()).toEqual({ count: 1, postponed: 0 });
    expect(harness.looks).toHaveLength(1);
    expect(harness.stored()).toEqual([]);
  });

  it('comes back after the pause of its kind, or when its look says, with what the look notes', async () => {
    const answers: Looked[] = [{}, { due: DUE + PAUSE_MS + 5, state: { at: 3 } }, 'done'];
    const harness = tasksHarness(() => Promise.resolve(answers.shift() ?? 'done'));
    await harness.add(task(1, DUE));
    expect(await harness.run()).toEqual({ count: 0, postponed: 1 });
    harness.clock.now += PAUSE_MS - 1;
    await harness.run();
    expect(harness.looks).toHaveLength(1);
    harness.clock.now += 1;
    await harness.run();
    harness.clock.now += 5;
    expect(await harness.run()).toEqual({ count: 1, postponed: 0 });
    expect(harness.looks.map(({ state }) => state)).toEqual([{}, {}, { at: 3 }]);
  });

  it('keeps the progress that a look has saved before it died', async () => {
    const harness = tasksHarness(async ({ state }, { save }) => {
      if (state['at'] === 3) return 'done';
      expect(await save({ at: 3 })).toBe(true);
      throw new Error('died');
    });
    await harness.add({ ...task(1, DUE), state: { at: 0 } });
    await expect(harness.run()).rejects.toThrow('died');
    harness.clock.now += PAUSE_MS;
    expect(await harness.run()).toEqual({ count: 1, postponed: 0 });
  });

  it('of a kind that nobody knows stays for the release that does', async () => {
    const harness = tasksHarness();
    await harness.add({ ...task(1, DUE), kind: 'toString' });
    await harness.run();
    expect(harness.stored()).toHaveLength(1);
  });

  it('goes when its maker has finished the work', async () => {
    const harness = tasksHarness();
    await harness.add(task(1, DUE));
    await removeTask(harness.table, task(1, DUE));
    expect(harness.stored()).toEqual([]);
  });

  it('is looked at to its end, wherever calls die', async () => {
    await dyingAnywhere({
      begin: async (tick) => {
        const harness = tasksHarness(({ state }) => {
          tick();
          return Promise.resolve<Looked>(state['seen'] === true ? 'done' : { state: { seen: true } });
        }, new MemoryTable(tick));
        await harness.add(task(1, DUE));
        await harness.add(task(2, DUE, NEIGHBOUR));
        return harness;
      },
      run: async (harness) => {
        for (let call = 0; call < 2; call += 1) {
          await harness.run();
          harness.clock.now += PAUSE_MS;
        }
      },
      check: async (harness) => {
        for (let call = 0; call < 3; call += 1) {
          harness.clock.now += PAUSE_MS;
          await harness.run();
        }
        expect(harness.stored()).toEqual([]);
        const ended = harness.looks.filter(({ state }) => state['seen'] === true);
        expect(new Set(ended.map(({ property }) => property))).toEqual(new Set([7, NEIGHBOUR]));
      },
    });
  });
});

describe('two calls at once', () => {
  it('look at each task once', async () => {
    const harness = tasksHarness();
    for (let id = 0; id < 20; id += 1) await harness.add(task(id, DUE));
    const ended = await Promise.all([harness.run(), harness.run(), harness.run()]);
    expect(ended.reduce((sum, { count }) => sum + count, 0)).toBe(20);
    expect(harness.looks).toHaveLength(20);
  });

  it.each(['done', { state: { mine: true } }] as const)(
    'of which one stood still after it took a task leave it to the other: %j',
    async (answer) => {
      const { pass, during } = gate();
      const harness = tasksHarness(async (_, { save }) => {
        if (harness.looks.length > 1) return {};
        await pass();
        expect(await save({ mine: true })).toBe(false);
        return answer;
      });
      await harness.add(task(1, DUE));
      await during(
        () => harness.run(),
        () => {
          harness.clock.now += PAUSE_MS;
          return harness.run();
        },
      );
      expect(harness.stored()).toMatchObject([{ due: DUE + 2 * PAUSE_MS, state: {} }]);
    },
  );

  it('of which one noted something when the other had read its task leave the task to it', async () => {
    const harness = tasksHarness(async (_, { save }) => {
      if (harness.looks.length > 1) return {};
      harness.clock.now += PAUSE_MS;
      const other = frozenAt(harness.table, (operation) => operation === 'update');
      await other.during(harness.run, () => save({ at: 3 }));
      return {};
    });
    await harness.add(task(1, DUE));
    await harness.run();
    expect(harness.looks).toHaveLength(1);
    expect(harness.stored()).toMatchObject([{ state: { at: 3 } }]);
  });

  it('of which one stood still before it took a task look at it once', async () => {
    const harness = tasksHarness(() => Promise.resolve({}));
    await harness.add(task(1, DUE));
    const frozen = frozenAt(harness.table, (operation) => operation === 'update');
    expect(await frozen.during(harness.run, () => harness.run())).toEqual({ count: 0, postponed: 0 });
    expect(harness.looks).toHaveLength(1);
  });
});

describe('a task that fails', () => {
  it('holds up none of a thousand others, is told with its kind, and comes back after its pause', async () => {
    const harness = tasksHarness(({ ids }) =>
      ids[0] === 500 ? Promise.reject(new Error('poisoned')) : Promise.resolve('done'),
    );
    for (let id = 0; id < 1_000; id += 1) await harness.add(task(id, DUE, 7 + (id % 3)));
    await expect(harness.run()).rejects.toThrow('poisoned');
    expect(harness.stored()).toMatchObject([{ ids: [500], due: DUE + PAUSE_MS }]);
    expect(harness.lines).toMatchObject([['task.failed', { kind: 'test', property: 9 }]]);
    expect(await harness.run()).toEqual({ count: 0, postponed: 0 });
    harness.clock.now += PAUSE_MS;
    await expect(harness.run()).rejects.toThrow('poisoned');
  });

  it('because its item has an unknown shape holds up no other', async () => {
    const harness = tasksHarness();
    await harness.table.put(keys.task(7, 'test#7#0'), { kind: 'test' });
    await harness.add(task(1, DUE));
    await expect(harness.run()).rejects.toThrow('Invalid');
    expect(harness.looks).toHaveLength(1);
  });
});

describe('the time of a call', () => {
  it('ends when the next call is due, and that call begins elsewhere', async () => {
    const harness = tasksHarness(() => {
      harness.clock.now += 10_000;
      return Promise.resolve('done');
    });
    for (let id = 0; id < 40; id += 1) await harness.add(task(id, DUE));
    const { count } = await harness.run();
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThan(2 * limits.tasks.atOnce);
    for (let call = 0; call < 20; call += 1) await harness.run();
    expect(harness.stored()).toEqual([]);
  });

  it('goes to one task of each kind and property, before the next of a property with many', async () => {
    const harness = tasksHarness(() => {
      harness.clock.now += 10_000;
      return Promise.resolve('done');
    });
    for (let id = 0; id < 1_000; id += 1) await harness.add(task(id, DUE));
    await harness.add(task(1, DUE, NEIGHBOUR));
    await harness.run();
    expect(harness.looks.some(({ property }) => property === NEIGHBOUR)).toBe(true);
  });

  it.each([
    ['of one property', () => 7],
    ['of as many properties', (id: number) => 16 * id + 7],
  ])('comes to each of the many tasks %s that are never done', async (_, propertyOf) => {
    const harness = tasksHarness(() => {
      harness.clock.now += 10_000;
      return Promise.resolve({ due: DUE });
    });
    for (let id = 0; id < 40; id += 1) await harness.add(task(id, DUE, propertyOf(id)));
    for (let call = 0; call < 60; call += 1) await harness.run();
    expect(new Set(harness.looks.map(({ ids: [id] }) => id)).size).toBe(40);
  });

  it('is a slice for each look', async () => {
    const going: boolean[] = [];
    const harness = tasksHarness((_, { mayGoOn }) => {
      going.push(mayGoOn());
      harness.clock.now += limits.tasks.sliceSeconds * 1_000 + 1;
      going.push(mayGoOn());
      return Promise.resolve('done');
    });
    await harness.add(task(1, DUE));
    await harness.run();
    expect(going).toEqual([true, false]);
  });
});

it('adopts the lists of release 0.2.0 in every tenth minute', async () => {
  const harness = tasksHarness();
  const set = { property: 7, export: 5, created: 0, job: 9, revision: null };
  await harness.table.put({ pk: 'EXPORT-OUTBOX#5', sk: '0000000007#0000000000000005#JOB#9' }, set);
  const adopted: number[] = [];
  for (let minute = 1; minute <= 10; minute += 1) {
    await harness.run();
    if (adopted.length === 0 && harness.stored().length > 0) adopted.push(minute);
    harness.clock.now += 60_000;
  }
  expect(adopted).toEqual([10]);
});
