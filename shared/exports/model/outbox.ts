/**
 * Outbox: keeps the reconciliation tasks of exports in the table, for the functions that make work and for
 * `repairExports`.
 */
import * as v from 'valibot';
import { allItems } from '../../table/all-items.ts';
import { keys } from '../../table/keys.ts';
import type { Table, Write } from '../../table/table.ts';
import { versioned, type Versioned } from '../../table/versioned.ts';

const id = v.pipe(v.number(), v.safeInteger());

const outboxTask = v.object({
  property: id,
  export: id,
  created: v.number(),
  job: v.nullable(id),
  revision: v.nullable(id),
});

/**
 * A task of the outbox: reconcile a job until it has ended, or the schedules of a revision until they match their
 * definition. Either `job` or `revision` is set.
 */
export type OutboxTask = v.InferOutput<typeof outboxTask>;

/**
 * Transactional outbox: a task is stored in one transaction with the work that it describes, and the reconciliation
 * (`repairExports`) removes it once the work is finished. Work that a crashed function left behind therefore always has
 * its task.
 */
export interface Outbox {
  /** Adds a task, or gives it a new version. Call it before the work begins, where no transaction holds both. */
  addOutboxTask(task: OutboxTask): Promise<void>;
  /** Removes a finished task unless it was added again since it was read. */
  removeOutboxTask(seen: Versioned<OutboxTask>): Promise<void>;
  /** All tasks of one of the `OUTBOX_PARTITIONS`. */
  outboxTasks(partition: number): Promise<readonly Versioned<OutboxTask>[]>;
}

const parseTask = versioned(outboxTask);

const taskKey = ({ property, export: exportId, job, revision }: OutboxTask) =>
  keys.exportOutboxTask(property, exportId, job === null ? `SCHEDULE#${revision}` : `JOB#${job}`);

/**
 * The write that adds a task. A task that is stored already gets a new version, so that a reconciliation which has not seen
 * the new work does not remove the task. Refused when the task was added or removed since it was read.
 */
export const taskWrite = async (table: Pick<Table, 'get'>, task: OutboxTask): Promise<Write> => {
  const key = taskKey(task);
  const known = await table.get(key);
  return known
    ? { kind: 'update', key, set: {}, expect: { w: known.w } }
    : { kind: 'insert', key, set: { ...task } };
};

/** The outbox in the table. */
export const outbox = (table: Table): Outbox => ({
  addOutboxTask: async (task) => {
    const key = taskKey(task);
    const insert = { kind: 'insert', key, set: { ...task } } as const;
    if ((await table.write(insert)) === 'applied') return;
    // A refused update means that the reconciliation removed the task in between: the old task is gone, so a new one is inserted.
    if ((await table.write({ kind: 'update', key, set: {}, expect: {} })) === 'refused')
      await table.write(insert);
  },
  removeOutboxTask: async ({ value, w }) => {
    await table.write({ kind: 'delete', key: taskKey(value), expect: { w } });
  },
  outboxTasks: async (partition) =>
    (await allItems(table, keys.exportOutbox(partition))).flatMap((item) => parseTask(item) ?? []),
});
