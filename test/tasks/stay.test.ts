import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { reconcileAndStay, type Looked } from '../../shared/tasks/reconcile.ts';
import { addTask } from '../../shared/tasks/tasks.ts';
import { tasksIn } from '../support/look-at-tasks.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { PAUSE_MS, task } from './harness.ts';

/** A minute in which nothing is adopted. */
const START = Date.parse('2026-01-15T00:01:00Z');

/** One call, with a task that is due some seconds after its begin. Returns when it has looked, in seconds from its begin. */
const call = async (dueSeconds: number, isAwaited: boolean, answers: readonly Looked[] = ['done']) => {
  const table = new MemoryTable();
  const time = { now: START };
  const clock = () => time.now;
  const pause = () => Promise.resolve();
  const looks: number[] = [];
  const look = (): Promise<Looked> => {
    looks.push((time.now - START) / 1_000);
    return Promise.resolve(answers[looks.length - 1] ?? answers.at(-1) ?? 'done');
  };
  await addTask({ table, pause }, task(1, START + dueSeconds * 1_000));
  const kinds = { test: { pauseSeconds: PAUSE_MS / 1_000, isAwaited, look } };
  const sleep = (ms: number) => {
    time.now += ms;
    return Promise.resolve();
  };
  const found = await reconcileAndStay({ table, clock, pause, kinds, sleep, log: () => undefined });
  return { looks, found, left: tasksIn(table).length };
};

it('a call stays for a task that people wait for and that is due before the next call', async () => {
  expect(await call(36, true)).toEqual({ looks: [36], found: { count: 1, postponed: 0 }, left: 0 });
  const again = [{ due: START + 37_500 }, 'done'] as const;
  expect(await call(0, true, again)).toEqual({
    ...{ looks: [0, 37.5], found: { count: 1, postponed: 1 }, left: 0 },
  });
});

it('a call stays neither for other tasks nor beyond the next call', async () => {
  const { takeSeconds } = limits.tasks;
  expect(await call(36, false)).toMatchObject({ looks: [], left: 1 });
  expect(await call(takeSeconds + 1, true)).toMatchObject({ looks: [], left: 1 });
});

it('a task that is due again at once is looked at once a second, and the call ends', async () => {
  const { takeSeconds } = limits.tasks;
  const { looks } = await call(0, true, [{ due: START }]);
  expect(looks).toEqual(Array.from({ length: takeSeconds + 1 }, (_, second) => second));
});

it('a look that says nothing leaves its task to a later call', async () => {
  expect(await call(0, true, [{}])).toMatchObject({ looks: [0], left: 1 });
});
