/**
 * Adopt lists: makes tasks of what release 0.2.0 has listed in its separate lists of unfinished work. A release to which
 * nobody upgrades from 0.2.0 deletes this file.
 */
import * as v from 'valibot';
import { Failures } from '../runtime/failures.ts';
import { mapLimited } from '../runtime/pool.ts';
import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { allItems } from '../table/all-items.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { addTask, type AddTaskDeps, type NewTask } from './tasks.ts';

/** A list of release 0.2.0: the keys of its partitions, and what it lists. */
interface EarlierList {
  readonly partitions: readonly string[];
  /** The task in place of an item; `undefined` while it is too early for one. */
  readonly taskOf: (item: StoredItem, deps: AdoptDeps) => NewTask | Promise<NewTask | undefined>;
}

const partitionsOf = (name: string): readonly string[] =>
  Array.from({ length: 16 }, (_, partition) => `${name}#${partition}`);

const outboxTask = v.object({
  property: v.number(),
  export: v.number(),
  created: v.number(),
  job: v.nullable(v.number()),
  revision: v.nullable(v.number()),
});

const unfinishedMoment = v.object({
  property: v.number(),
  timeline: v.number(),
  segment: v.number(),
  since: v.number(),
});

const watchedJob = v.object({ property: v.number(), job: v.number(), since: v.number() });

const dueMoment = v.object({ property: v.number(), timeline: v.number(), time: v.number() });

const lists: readonly EarlierList[] = [
  {
    partitions: partitionsOf('EXPORT-OUTBOX'),
    taskOf: (item) => {
      const { property, export: id, created, job, revision } = v.parse(outboxTask, item);
      const due = created + limits.exports.taskSeconds * 1_000;
      return job === null
        ? { kind: 'export-schedule', property, ids: [id, revision ?? 0], due, state: { since: created } }
        : { kind: 'export-job', property, ids: [id, job], due };
    },
  },
  {
    partitions: partitionsOf('MAKING'),
    taskOf: (item) => {
      const { property, timeline, segment, since } = v.parse(unfinishedMoment, item);
      const due = since + limits.timelines.abandonedSeconds * 1_000;
      return { kind: 'moment', property, ids: [timeline, segment], due };
    },
  },
  {
    partitions: partitionsOf('WATCHED'),
    taskOf: (item) => {
      const { property, job, since } = v.parse(watchedJob, item);
      const until = since + limits.imports.announceSeconds * 1_000;
      return { kind: 'import-job', property, ids: [job], due: since, until };
    },
  },
  {
    partitions: partitionsOf('DUE'),
    taskOf: async (item, { table, clock }) => {
      const { property, timeline, time } = v.parse(dueMoment, item);
      const now = clock();
      // A function of 0.2.0 lists the first moment of a timeline before it stores the timeline.
      const isThere = await table.get(keys.timeline(property, timeline));
      if (!isThere && now < time + limits.timelines.abandonedSeconds * 1_000) return undefined;
      const state = { since: time - 1 };
      return { kind: 'timeline-schedule', property, ids: [timeline], due: now, state };
    },
  },
];

export interface AdoptDeps extends AddTaskDeps {
  readonly table: Pick<Table, 'get' | 'query' | 'write'>;
  readonly clock: Clock;
}

/**
 * Makes a task of each listed item, then deletes the item, unless a function of 0.2.0 has changed it meanwhile. That function
 * stops at its next write of a deleted item. Throws the first failure after the other items.
 */
export const adoptLists = async (deps: AdoptDeps): Promise<void> => {
  const failures = new Failures();
  for (const { partitions, taskOf } of lists) {
    const found = await mapLimited(partitions, limits.tasks.atOnce, (pk) => allItems(deps.table, pk));
    for (const item of found.flat()) await failures.attempt(() => adopt(deps, item, taskOf));
  }
  failures.throwFirst();
};

const adopt = async (deps: AdoptDeps, item: StoredItem, taskOf: EarlierList['taskOf']): Promise<void> => {
  const task = await taskOf(item, deps);
  if (!task) return;
  await addTask(deps, task);
  const { pk, sk, w } = item;
  await deps.table.write({ kind: 'delete', key: { pk, sk }, expect: { w } });
};
