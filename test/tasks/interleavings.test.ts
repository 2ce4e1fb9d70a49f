import { expect, it } from 'vitest';
import { reconcile } from '../../shared/tasks/reconcile.ts';
import { done, retryOnConflict } from '../../shared/runtime/retry.ts';
import { keys, type Key } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { addTask, taskWrite } from '../../shared/tasks/tasks.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';
import { PAUSE_MS, task } from './harness.ts';

const START = Date.parse('2026-01-15T00:01:00Z');
const pause = () => Promise.resolve();
const work: Key = { pk: 'P#7', sk: 'WORK' };

/** Processes that take their steps in an order that is given: which of those that wait goes next, at each step. */
const played = async (order: readonly number[], actors: readonly ((step: Step) => Promise<unknown>)[]) => {
  const waiting = new Map<number, () => void>();
  const step =
    (actor: number): Step =>
    () =>
      new Promise((resolve) => waiting.set(actor, resolve));
  const running = actors.map((act, actor) => act(step(actor)));
  const widths: number[] = [];
  for (;;) {
    await new Promise(setImmediate);
    const ready = [...waiting.keys()].toSorted((a, b) => a - b);
    const next = ready[order[widths.length] ?? 0];
    if (next === undefined) break;
    widths.push(ready.length);
    waiting.get(next)?.();
    waiting.delete(next);
  }
  await Promise.all(running);
  return widths;
};

/** Waits until the order comes to the process. */
type Step = () => Promise<void>;

/** The order after one whose steps had so many choices; undefined after the last. */
const nextOrder = (order: readonly number[], widths: readonly number[]): readonly number[] | undefined => {
  for (let at = widths.length - 1; at >= 0; at -= 1) {
    const next = (order[at] ?? 0) + 1;
    if (next < (widths[at] ?? 0)) return [...Array.from({ length: at }, (_, each) => order[each] ?? 0), next];
  }
  return undefined;
};

/** A list with one task, a call that stands still behind its take, another call, and a process with new work. */
const scene = async () => {
  const table = new MemoryTable();
  const clock = { now: START };
  await addTask({ table, pause }, task(1, START));
  await table.put(work, {});
  const call = (step: Step, standsStill: boolean) => {
    const view: Table = viewOf(table, {
      query: async (pk, range) => {
        if (pk === keys.tasks(7)) await step();
        return table.query(pk, range);
      },
      write: async (write) => {
        await step();
        const outcome = await table.write(write);
        // The pause of the task passes: the other call may take it.
        if (standsStill && write.kind === 'update' && outcome === 'applied') clock.now += PAUSE_MS;
        return outcome;
      },
    });
    const look = async () => {
      await step();
      await table.write({ kind: 'delete', key: work, expect: {} });
      return 'done' as const;
    };
    const kinds = { test: { pauseSeconds: PAUSE_MS / 1_000, look } };
    return reconcile({ table: view, pause, clock: () => clock.now, log: () => undefined, kinds });
  };
  /** New work comes with its task in one transaction. */
  const add = (step: Step) =>
    retryOnConflict({ pause, what: 'work' }, async () => {
      await step();
      const write = await taskWrite(table, task(1, clock.now));
      await step();
      const item = await table.get(work);
      const isRefused =
        (
          await table.transact([
            write,
            item
              ? { kind: 'update', key: work, set: {}, expect: {} }
              : { kind: 'insert', key: work, set: {} },
          ])
        ).length > 0;
      return isRefused ? 'conflict' : done(undefined);
    });
  /** The call that comes after all of them. */
  const finish = () => {
    clock.now += 2 * PAUSE_MS;
    return call(pause, false);
  };
  return { table, call, add, finish };
};

it('two calls, one of which stands still, and new work, in every order: no work is ever without its task', async () => {
  let orders = 0;
  for (let order: readonly number[] | undefined = []; order; orders += 1) {
    const { table, call, add, finish } = await scene();
    const widths = await played(order, [(step) => call(step, true), (step) => call(step, false), add]);
    const hasTask = table.items().some(({ pk }) => pk === keys.tasks(7));
    const hasWork = (await table.get(work)) !== undefined;
    expect({ order, isLost: hasWork && !hasTask }).toEqual({ order, isLost: false });
    await finish();
    expect({ order, left: table.items() }).toEqual({ order, left: [] });
    order = nextOrder(order, widths);
  }
  expect(orders).toBeGreaterThan(1_000);
});
