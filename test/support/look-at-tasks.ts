/** Looks at the tasks of a table in memory, as the reconciliation does. */
import type { Clock } from '../../shared/runtime/clock.ts';
import { reconcile, type TaskKind } from '../../shared/tasks/reconcile.ts';
import { parseTask, type Task } from '../../shared/tasks/tasks.ts';
import type { Attributes, Table } from '../../shared/table/table.ts';
import type { MemoryTable } from './memory-table.ts';

type Kinds = Readonly<Record<string, TaskKind>>;

interface Ports {
  readonly table: Pick<Table, 'get' | 'query' | 'write'>;
  readonly clock: Clock;
}

const isTask = ({ pk }: { readonly pk: string }): boolean => pk.startsWith('TASKS#');

/** The tasks of a table. */
export const tasksIn = (table: MemoryTable): readonly Task[] => table.items().filter(isTask).map(parseTask);

/** Looks at the tasks that are due, with time as long as `mayGoOn` says. Returns how many it has looked at. */
export const lookAtDue = async (
  { table, clock }: Ports,
  kinds: Kinds,
  mayGoOn: () => boolean = () => true,
): Promise<number> => {
  const timed = Object.entries(kinds).map(([name, { look, pauseSeconds }]): [string, TaskKind] => [
    name,
    { pauseSeconds, look: (task, ports) => look(task, { ...ports, mayGoOn }) },
  ]);
  const { count, postponed } = await reconcile({
    ...{ table, clock, pause: () => Promise.resolve(), log: () => undefined },
    kinds: Object.fromEntries(timed),
  });
  return count + postponed;
};

/** Makes the tasks of these kinds due. Whoever has added them stays at work for as long as it said. */
export const makeDue = async (table: MemoryTable, kinds: Kinds, more: Attributes = {}): Promise<void> => {
  for (const item of table.items().filter(isTask)) {
    const { pk, sk } = item;
    if (Object.hasOwn(kinds, parseTask(item).kind))
      await table.write({ kind: 'update', key: { pk, sk }, set: { due: 0, ...more }, expect: {} });
  }
};

/** Looks at all tasks of these kinds, whenever they are due, also beside a look or a maker that stands still. */
export const lookAtAll = async (
  ports: Ports & { readonly table: MemoryTable },
  kinds: Kinds,
  mayGoOn?: () => boolean,
): Promise<number> => {
  await makeDue(ports.table, kinds, { until: 0 });
  return lookAtDue(ports, kinds, mayGoOn);
};
