/**
 * Tasks: the one list of unfinished work. A function that begins work which it may leave unfinished, because it can die,
 * adds a task first. `reconcile` looks at each task when it is due, does what is missing, and ends the task once nothing
 * is. So a task names a place to look at, not an action.
 */
import * as v from 'valibot';
import type { Pause } from '../runtime/pause.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { changeItem } from '../table/change-item.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Attributes, StoredItem, Table, Write, WriteOutcome } from '../table/table.ts';

/** Names a task: the kind of work, its property, and the ids of what is to be looked at. */
export interface TaskRef {
  readonly kind: string;
  readonly property: number;
  readonly ids: readonly number[];
}

/** A task to be added. */
export interface NewTask extends TaskRef {
  /** When it is looked at first (epoch milliseconds). */
  readonly due: number;
  /** By then whoever adds it has finished, or is dead: only a look that begins later ends it. It is `due` unless named. */
  readonly until?: number;
  /** What its kind notes on it, unless it is stored already. */
  readonly state?: Attributes;
}

const storedTask = v.object({
  kind: v.string(),
  property: v.number(),
  ids: v.array(v.number()),
  due: v.number(),
  /** Counts the looks at the task and what they note, so that of two looks one goes on. */
  step: v.number(),
  /** No look that began before ends the task. Each addition raises it, so no look ends what was added meanwhile. */
  until: v.number(),
  state: v.record(v.string(), v.unknown()),
});

/** A task as it is stored. */
export type Task = Readonly<v.InferOutput<typeof storedTask>>;

/** A stored task. Throws for an item of another shape. */
export const parseTask = (item: StoredItem): Task => v.parse(storedTask, item);

/** What changes of a task. */
export interface TaskChange {
  readonly due?: number;
  readonly state?: Attributes;
}

/** The key of a task. */
const taskKey = ({ kind, property, ids }: TaskRef): Key =>
  keys.task(property, [kind, property, ...ids].join('#'));

/**
 * The write that adds a task, for the transaction by which its work begins. A task that is stored already keeps its state,
 * is due at the earlier time, and does not end by a look that has not seen the new work. Refused when another process has
 * added, changed or ended the task since it was read.
 */
export const taskWrite = async (table: Pick<Table, 'get'>, task: NewTask): Promise<Write> =>
  writeOf(task, await findTask(table, task));

const writeOf = (
  { kind, property, ids, due, until = due, state = {} }: NewTask,
  stored: Task | undefined,
): Write => {
  const key = taskKey({ kind, property, ids });
  // A task that is added after its end begins with a step that the ended one never had.
  const fresh = { kind, property, ids: [...ids], due, until, step: due, state };
  if (!stored) return { kind: 'insert', key, set: fresh };
  const set = { due: Math.min(stored.due, due), until: Math.max(stored.until + 1, until) };
  return { kind: 'update', key, set, expect: { step: stored.step, until: stored.until } };
};

/** Ports of `addTask`. */
export interface AddTaskDeps {
  readonly table: Pick<Table, 'get' | 'write'>;
  readonly pause: Pause;
}

/**
 * Adds a task where no transaction holds it and its work: call it before the work begins. Where the stored task is due in
 * time, and stays as long, nothing is written: so callers that round their times up share one addition.
 */
export const addTask = ({ table, pause }: AddTaskDeps, task: NewTask): Promise<void> =>
  retryOnConflict({ pause, what: 'tasks: a task' }, async () => {
    const stored = await findTask(table, task);
    const { due, until = due } = task;
    if (stored && stored.due <= due && stored.until >= until) return done(undefined);
    return (await table.write(writeOf(task, stored))) === 'refused' ? 'conflict' : done(undefined);
  });

/** A task as it is stored; undefined without one. */
export const findTask = async (table: Pick<Table, 'get'>, ref: TaskRef): Promise<Task | undefined> => {
  const item = await table.get(taskKey(ref));
  return item && parseTask(item);
};

/**
 * Adds a task, or puts it in place of the stored one, as `decide` says; undefined: everything stays. A look that is under way
 * ends at its next step.
 */
export const replaceTask = (
  deps: AddTaskDeps,
  { kind, property, ids }: TaskRef,
  decide: (stored: Task | undefined) => (TaskChange & { readonly due: number }) | undefined,
): Promise<void> =>
  changeItem(deps, { key: taskKey({ kind, property, ids }), what: 'tasks: a task' }, (item) => {
    const stored = item && parseTask(item);
    const set = decide(stored);
    if (!set) return { result: undefined };
    if (stored) return { result: undefined, set: { ...set, step: stored.step + 1 } };
    const fresh = { kind, property, ids: [...ids], state: {}, step: set.due, until: set.due };
    return { result: undefined, set: { ...fresh, ...set } };
  });

/** Removes a task, for the process that has added it and has finished its work. */
export const removeTask = async (table: Pick<Table, 'write'>, ref: TaskRef): Promise<void> => {
  await table.write({ kind: 'delete', key: taskKey(ref), expect: {} });
};

/**
 * Changes a task, unless another process has changed or ended it since it was read; when it is due, also unless another has
 * added it. Returns the task as the caller knows it now; undefined when another process came first.
 */
export const changeTask = async (
  table: Pick<Table, 'write'>,
  seen: Task,
  change: TaskChange,
): Promise<Task | undefined> => {
  const { step, until } = seen;
  const set = { ...change, step: step + 1 };
  const expect = change.due === undefined ? { step } : { step, until };
  const outcome = await table.write({ kind: 'update', key: taskKey(seen), set, expect });
  return outcome === 'applied' ? { ...seen, ...set } : undefined;
};

/** Ends a task, unless another process has added or changed it since it was read. */
export const endTask = (table: Pick<Table, 'write'>, seen: Task): Promise<WriteOutcome> => {
  const { step, until } = seen;
  return table.write({ kind: 'delete', key: taskKey(seen), expect: { step, until } });
};
