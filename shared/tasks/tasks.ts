/**
 * Tasks: the one list of unfinished work. A function that begins work which it may leave unfinished, because it can die,
 * adds a task first. `reconcile` looks at each task when it is due, does what is missing, and ends the task once nothing
 * is. So a task names a place to look at, not an action.
 */
import * as v from 'valibot';
import type { Pause } from '../runtime/pause.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
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
  /** When it is looked at first (epoch milliseconds): by then whoever adds it has finished the work, or is dead. */
  readonly due: number;
  /** What its kind notes on it, unless it is stored already. */
  readonly state?: Attributes;
}

const storedTask = v.object({
  kind: v.string(),
  property: v.number(),
  ids: v.array(v.number()),
  due: v.number(),
  /** Counts who has added or taken the task, so that each of them knows whether another one came later. */
  step: v.number(),
  state: v.record(v.string(), v.unknown()),
});

/** A task as it is stored. */
export type Task = Readonly<v.InferOutput<typeof storedTask>>;

/** A stored task. Throws for an item of another shape. */
export const parseTask = (item: StoredItem): Task => v.parse(storedTask, item);

/** The key of a task. */
const taskKey = ({ kind, property, ids }: TaskRef): Key =>
  keys.task(property, [kind, property, ...ids].join('#'));

/**
 * The write that adds a task, for the transaction by which its work begins. A task that is stored already keeps its state,
 * is due at the earlier time, and does not end by a look that has not seen the new work. Refused when another process has
 * added, taken or ended the task since it was read.
 */
export const taskWrite = async (
  table: Pick<Table, 'get'>,
  { kind, property, ids, due, state = {} }: NewTask,
): Promise<Write> => {
  const key = taskKey({ kind, property, ids });
  const item = await table.get(key);
  // A task that is added after its end begins with a step that the ended one never had.
  if (!item) return { kind: 'insert', key, set: { kind, property, ids: [...ids], due, step: due, state } };
  const stored = parseTask(item);
  const set = { due: Math.min(stored.due, due), step: stored.step + 1 };
  return { kind: 'update', key, set, expect: { step: stored.step } };
};

/** Ports of `addTask`. */
export interface AddTaskDeps {
  readonly table: Pick<Table, 'get' | 'write'>;
  readonly pause: Pause;
}

/** Adds a task where no transaction holds it and its work: call it before the work begins. */
export const addTask = ({ table, pause }: AddTaskDeps, task: NewTask): Promise<void> =>
  retryOnConflict({ pause, what: 'tasks: a task' }, async () =>
    (await table.write(await taskWrite(table, task))) === 'refused' ? 'conflict' : done(undefined),
  );

/** Removes a task, for the process that has added it and has finished its work. */
export const removeTask = async (table: Pick<Table, 'write'>, ref: TaskRef): Promise<void> => {
  await table.write({ kind: 'delete', key: taskKey(ref), expect: {} });
};

/**
 * Takes a task, so that nobody else looks at it before `due`. Returns the task as it is now; undefined when another process
 * has added, taken or ended it since it was read.
 */
export const takeTask = async (
  table: Pick<Table, 'write'>,
  seen: Task,
  due: number,
): Promise<Task | undefined> => {
  const set = { due, step: seen.step + 1 };
  const key = taskKey(seen);
  const outcome = await table.write({ kind: 'update', key, set, expect: { step: seen.step } });
  return outcome === 'applied' ? { ...seen, ...set } : undefined;
};

/** Changes a task that was taken, unless another process has added or taken it since. */
export const changeTask = (
  table: Pick<Table, 'write'>,
  taken: Task,
  set: { readonly due?: number; readonly state?: Attributes },
): Promise<WriteOutcome> =>
  table.write({ kind: 'update', key: taskKey(taken), set, expect: { step: taken.step } });

/** Ends a task that was taken, unless another process has added or taken it since. */
export const endTask = (table: Pick<Table, 'write'>, taken: Task): Promise<WriteOutcome> =>
  table.write({ kind: 'delete', key: taskKey(taken), expect: { step: taken.step } });
