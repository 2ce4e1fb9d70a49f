import type { LogFields } from '../../shared/runtime/log.ts';
import type { Table } from '../../shared/table/table.ts';
import { reconcile, type Looked, type TaskKind } from '../../shared/tasks/reconcile.ts';
import { addTask, type NewTask, type Task } from '../../shared/tasks/tasks.ts';
import { tasksIn } from '../support/look-at-tasks.ts';
import { MemoryTable } from '../support/memory-table.ts';

export const PAUSE_MS = 300_000;

/** A property whose tasks are read after those of property 7. */
export const NEIGHBOUR = 8;

/** A task of a test. */
export const task = (id: number, due: number, property = 7): NewTask => ({
  kind: 'test',
  property,
  ids: [id],
  due,
});

/** A list of tasks of one kind, `look` for each, and processes that reconcile them. */
export const tasksHarness = (
  look: TaskKind['look'] = () => Promise.resolve<Looked>('done'),
  table: MemoryTable = new MemoryTable(),
) => {
  // A minute in which nothing is adopted.
  const clock = { now: Date.parse('2026-01-15T00:01:00Z') };
  const looks: Task[] = [];
  const lines: [code: string, fields: LogFields][] = [];
  const pause = () => Promise.resolve();
  const kind: TaskKind = {
    pauseSeconds: PAUSE_MS / 1_000,
    look: (seen, ports) => {
      looks.push(seen);
      return look(seen, ports);
    },
  };
  return {
    ...{ table, clock, looks, lines },
    deps: { table, pause },
    add: (added: NewTask) => addTask({ table, pause }, added),
    /** A process whose operations go through a view of the table. */
    run: (view: Pick<Table, 'get' | 'query' | 'write'> = table) =>
      reconcile({
        ...{ table: view, pause, clock: () => clock.now },
        log: (code, fields = {}) => lines.push([code, fields]),
        kinds: { test: kind },
      }),
    stored: () => tasksIn(table),
  };
};
