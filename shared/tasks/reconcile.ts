/** Reconcile: looks at the tasks that are due, and finishes the work that their makers left behind. */
import { limits } from '../config/limits.ts';
import { MINUTE_MS, type Clock } from '../runtime/clock.ts';
import { Failures } from '../runtime/failures.ts';
import { errorFacts, type Log } from '../runtime/log.ts';
import type { Pause } from '../runtime/pause.ts';
import { mapLimited } from '../runtime/pool.ts';
import { forSeconds, type HasTime } from '../runtime/time-budget.ts';
import { inTurn } from '../runtime/turns.ts';
import { allItems } from '../table/all-items.ts';
import { keys, TASK_PARTITIONS } from '../table/keys.ts';
import type { Attributes, StoredItem, Table } from '../table/table.ts';
import { adoptLists } from './adopt-lists.ts';
import { changeTask, endTask, parseTask, type Task, type TaskChange } from './tasks.ts';

/** What a look has found: nothing is missing any more, or when to look again (the pause of the kind unless named). */
export type Looked = 'done' | TaskChange;

/** The time and the progress of a look. */
export interface Look {
  /** Whether there is time for another step; the next look goes on. */
  readonly mayGoOn: HasTime;
  /** Stores the progress of the look. Returns false when another look has the task: this one ends then. */
  readonly save: (state: Attributes) => Promise<boolean>;
}

/** A kind of tasks. */
export interface TaskKind {
  /** From the begin of a look to the next one, if this one fails, dies or finds nothing to do. */
  readonly pauseSeconds: number;
  /** Whether people wait for it: a call stays for a task that is due before the next call (`reconcileAndStay`). */
  readonly isAwaited?: boolean;
  /** Does what is missing. It may be cut off anywhere and repeated, and may run beside a look that stood still for long. */
  readonly look: (task: Task, look: Look) => Promise<Looked>;
}

export interface ReconcileDeps {
  readonly table: Pick<Table, 'get' | 'query' | 'write'>;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly log: Log;
  /** All kinds by name. A task of another kind stays for the release that knows it. */
  readonly kinds: Readonly<Record<string, TaskKind>>;
}

/** How many tasks have ended, and how many are to be looked at again. */
export interface Reconciled {
  readonly count: number;
  readonly postponed: number;
  /** When the first task of a kind that people wait for is due again (epoch milliseconds); undefined without one. */
  readonly next?: number | undefined;
}

const { atOnce, takeSeconds, sliceSeconds, adoptMinutes } = limits.tasks;

/**
 * Looks at the tasks that are due, some at once, and at no more of them when the next call is due. Calls may overlap, and may
 * be cut off anywhere: a call takes a task before it looks, and the task comes back after the pause of its kind. A failure
 * of one look delays only its own task. The first failure is thrown after the other tasks.
 */
export const reconcile = async (deps: ReconcileDeps): Promise<Reconciled> => {
  const { table, clock } = deps;
  const hasTime = forSeconds(clock, takeSeconds);
  const failures = new Failures();
  if (Math.floor(clock() / MINUTE_MS) % adoptMinutes === 0) await failures.attempt(() => adoptLists(deps));
  const partitions = Array.from({ length: TASK_PARTITIONS }, (_, partition) => keys.tasks(partition));
  const items = (await mapLimited(partitions, atOnce, (partition) => allItems(table, partition))).flat();
  const tasks = await readable(failures, items);
  const now = clock();
  const due = tasks.filter((task) => task.due <= now && Object.hasOwn(deps.kinds, task.kind));
  const ends: Looked[] = [];
  const awaited = tasks
    .filter((task) => task.due > now && isAwaited(deps.kinds, task.kind))
    .map((one) => one.due);
  await mapLimited(byTurns(due, now), atOnce, async (task) => {
    if (!hasTime()) return;
    const looked = await failures.attempt(() => attend(deps, task));
    if (looked) ends.push(looked);
    if (typeof looked === 'object' && looked.due !== undefined && isAwaited(deps.kinds, task.kind))
      awaited.push(looked.due);
  });
  failures.throwFirst();
  const count = ends.filter((looked) => looked === 'done').length;
  const next = awaited.length === 0 ? undefined : Math.min(...awaited);
  return { count, postponed: ends.length - count, next };
};

const isAwaited = (kinds: ReconcileDeps['kinds'], name: string): boolean =>
  Object.hasOwn(kinds, name) && kinds[name]?.isAwaited === true;

/** The least time between two looks of one call at the list: a look that is due again at once may wait for something. */
const LEAST_STAY_MS = 1_000;

/**
 * Reconciles, and stays for tasks that people wait for and that are due before the next call: it waits until then, and
 * reconciles again. `sleep` waits for some milliseconds. Returns what all of these looks have found together.
 */
export const reconcileAndStay = async (
  deps: ReconcileDeps & { readonly sleep: (ms: number) => Promise<unknown> },
): Promise<Reconciled> => {
  const end = deps.clock() + takeSeconds * 1_000;
  const all = { count: 0, postponed: 0 };
  for (;;) {
    const { count, postponed, next } = await reconcile(deps);
    all.count += count;
    all.postponed += postponed;
    const now = deps.clock();
    const then = Math.max(next ?? Infinity, now + LEAST_STAY_MS);
    if (then > end) return all;
    await deps.sleep(then - now);
  }
};

/** The tasks of items. An item of an unknown shape is a failure, and hides no other task. */
const readable = async (failures: Failures, items: readonly StoredItem[]): Promise<readonly Task[]> => {
  const read = items.map((item) => failures.attempt(() => Promise.resolve(item).then(parseTask)));
  return (await Promise.all(read)).flatMap((task) => task ?? []);
};

/** One task of each kind and property, then another of each that has more: so none waits behind the many of another. */
const byTurns = (due: readonly Task[], now: number): readonly Task[] => {
  const groups = [...Map.groupBy(due, ({ kind, property }) => `${kind}#${property}`).values()];
  const rounds = inTurn(groups, now).map((own) => [...inTurn(own, now).entries()]);
  return rounds
    .flat()
    .toSorted(([one], [other]) => one - other)
    .map(([, task]) => task);
};

/** Takes a task and looks at it. Returns what it has found; undefined when another call has the task. */
const attend = async (deps: ReconcileDeps, seen: Task): Promise<Looked | undefined> => {
  const { table, clock, log, kinds } = deps;
  const kind = kinds[seen.kind];
  const began = clock();
  const taken = kind && (await changeTask(table, seen, { due: began + kind.pauseSeconds * 1_000 }));
  if (!kind || !taken) return undefined;
  const held: { task: Task | undefined } = { task: taken };
  const save = async (state: Attributes) => {
    held.task &&= await changeTask(table, held.task, { state });
    return held.task !== undefined;
  };
  try {
    const looked = await kind.look(taken, { mayGoOn: forSeconds(clock, sliceSeconds), save });
    if (!held.task) return looked;
    if (looked === 'done') await endOrWait(table, held.task, began);
    else if (Object.keys(looked).length > 0) await changeTask(table, held.task, looked);
    return looked;
  } catch (error) {
    log('task.failed', { kind: taken.kind, property: taken.property, error: errorFacts(error) });
    throw error;
  }
};

/**
 * Ends a task with which nothing is missing. If somebody who has added it may still have been at work when the look began, it
 * is looked at again.
 */
const endOrWait = async (table: ReconcileDeps['table'], task: Task, began: number): Promise<void> => {
  if (task.until > began) await changeTask(table, task, { due: task.until });
  else await endTask(table, task);
};
