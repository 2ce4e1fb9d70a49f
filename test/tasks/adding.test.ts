import { describe, expect, it } from 'vitest';
import { replaceTask, taskWrite } from '../../shared/tasks/tasks.ts';
import { gate } from '../support/table-view.ts';
import { frozenAt } from '../support/frozen.ts';
import { PAUSE_MS, task, tasksHarness } from './harness.ts';

const DUE = Date.parse('2026-01-15T00:01:00Z');

describe('a task that is added anew', () => {
  it('is due at the earlier of both times, and keeps its state', async () => {
    const harness = tasksHarness();
    await harness.add({ ...task(1, DUE + 9), state: { at: 3 } });
    await harness.add({ ...task(1, DUE + 99), state: { at: 0 } });
    expect(harness.stored()).toMatchObject([{ due: DUE + 9, state: { at: 3 } }]);
    await harness.add(task(1, DUE + 4));
    expect(harness.stored()).toMatchObject([{ due: DUE + 4, state: { at: 3 } }]);
  });

  it('while it is looked at does not end with that look', async () => {
    const harness = tasksHarness(async () => {
      if (harness.looks.length === 1) await harness.add(task(1, harness.clock.now + 120_000));
      return 'done';
    });
    await harness.add(task(1, DUE));
    await harness.run();
    expect(harness.stored()).toMatchObject([{ due: DUE + 120_000 }]);
    harness.clock.now += 120_000;
    await harness.run();
    expect(harness.looks).toHaveLength(2);
    expect(harness.stored()).toEqual([]);
  });

  it('while it is looked at does not keep that look from going on', async () => {
    const harness = tasksHarness(async (_, { save }) => {
      await harness.add(task(1, harness.clock.now + 5));
      return (await save({ at: 3 })) ? { due: DUE + 9 * PAUSE_MS } : 'done';
    });
    await harness.add(task(1, DUE));
    await harness.run();
    expect(harness.stored()).toMatchObject([{ due: DUE + 5, state: { at: 3 } }]);
  });

  it('after its end is no task of a look that stood still', async () => {
    const { pass, reached, open } = gate();
    const harness = tasksHarness(async () => {
      if (harness.looks.length === 1) await pass();
      return 'done';
    });
    await harness.add(task(1, DUE));
    const frozen = harness.run();
    await reached;
    harness.clock.now += PAUSE_MS;
    await harness.run();
    await harness.add(task(1, harness.clock.now));
    const other = frozenAt(harness.table, (operation) => operation === 'delete');
    const looking = harness.run(other.view);
    await other.reached;
    open();
    await frozen;
    expect(harness.stored()).toHaveLength(1);
    other.thaw();
    await looking;
    expect(harness.stored()).toEqual([]);
  });

  it('does not end before whoever added it last has finished, though a look comes sooner', async () => {
    const harness = tasksHarness();
    await harness.add(task(1, DUE));
    await harness.add(task(1, DUE + 9));
    await harness.run();
    expect(harness.stored()).toMatchObject([{ due: DUE + 9 }]);
    await harness.add({ ...task(1, DUE + 9), until: DUE + 20 });
    harness.clock.now += 9;
    await harness.run();
    expect(harness.stored()).toMatchObject([{ due: DUE + 20 }]);
    harness.clock.now += 11;
    await harness.run();
    expect(harness.stored()).toEqual([]);
  });

  it('does not end by a look that began before whoever added it has finished', async () => {
    const harness = tasksHarness(() => {
      harness.clock.now += 30;
      return Promise.resolve('done');
    });
    await harness.add({ ...task(1, DUE), until: DUE + 20 });
    await harness.run();
    expect(harness.stored()).toMatchObject([{ due: DUE + 20 }]);
    await harness.run();
    expect(harness.stored()).toEqual([]);
  });

  it('is written only when it has to be due sooner, or to stay longer', async () => {
    const harness = tasksHarness();
    const far = { ...task(1, DUE + 5), until: DUE + 20 };
    const writes: unknown[] = [];
    for (const added of [
      far,
      far,
      { ...far, due: DUE + 9 },
      { ...far, due: DUE },
      { ...far, until: DUE + 30 },
    ]) {
      await harness.add(added);
      writes.push(harness.table.items()[0]?.w);
    }
    expect(writes.map((nonce) => writes.indexOf(nonce))).toEqual([0, 0, 0, 3, 4]);
  });

  it('in a transaction is refused when another process has come between', async () => {
    const harness = tasksHarness();
    await harness.add(task(1, DUE));
    const write = await taskWrite(harness.table, task(1, DUE + 1));
    await harness.add(task(1, DUE + 9));
    expect(await harness.table.transact([write])).toEqual([0]);
  });
});

describe('a task that is replaced', () => {
  const later = DUE + 9 * PAUSE_MS;

  it('is as the decision says, and a look under way ends', async () => {
    const saved: boolean[] = [];
    const harness = tasksHarness(async (_, { save }) => {
      saved.push(await save({ at: 3 }));
      await replaceTask(harness.deps, task(1, DUE), (stored) => ({
        due: later,
        state: { earlier: Number(stored?.state['at']) },
      }));
      saved.push(await save({ at: 4 }));
      return 'done';
    });
    await harness.add(task(1, DUE));
    await harness.run();
    expect(saved).toEqual([true, false]);
    expect(harness.stored()).toMatchObject([{ due: later, state: { earlier: 3 } }]);
  });

  it('is added when there was none, and stays when nothing is decided', async () => {
    const harness = tasksHarness();
    await replaceTask(harness.deps, task(1, DUE), () => undefined);
    expect(harness.stored()).toEqual([]);
    await replaceTask(harness.deps, task(1, DUE), () => ({ due: later }));
    await replaceTask(harness.deps, task(1, DUE), () => undefined);
    expect(harness.stored()).toMatchObject([{ due: later, state: {}, ids: [1] }]);
  });
});
