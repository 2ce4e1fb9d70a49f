import { describe, expect, it } from 'vitest';
import { adoptLists } from '../../shared/tasks/adopt-lists.ts';
import { addTask, parseTask } from '../../shared/tasks/tasks.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { frozenAt } from '../support/frozen.ts';

const created = 1_700_000_000_000;
const due = created + 120_000;
const at = { pause: () => Promise.resolve(), clock: () => due };

/** Items as release 0.2.0 stores them, by their partition and sort key. */
const listed = [
  [
    { pk: 'EXPORT-OUTBOX#5', sk: '0000000007#0000000000000005#JOB#9' },
    { property: 7, export: 5, created, job: 9, revision: null },
    { kind: 'export-job', property: 7, ids: [5, 9], due },
  ],
  [
    { pk: 'EXPORT-OUTBOX#6', sk: '0000000007#0000000000000006#SCHEDULE#2' },
    { property: 7, export: 6, created, job: null, revision: 2 },
    { kind: 'export-schedule', property: 7, ids: [6, 2], due },
  ],
  [
    { pk: 'MAKING#7', sk: '0000000007#0000007000000007' },
    { property: 7, timeline: 5, segment: 7_000_000_007, since: created },
    { kind: 'moment', property: 7, ids: [5, 7_000_000_007], due: created + 900_000 },
  ],
  [
    { pk: 'WATCHED#9', sk: '0000000007#0000000000000009' },
    { property: 7, job: 9, since: created },
    { kind: 'import-job', property: 7, ids: [9], due: created, until: created + 3_600_000 },
  ],
] as const;

const listing = async (table: MemoryTable): Promise<void> => {
  for (const [key, set] of listed) await table.put(key, set);
};

const tasksOf = (table: MemoryTable) =>
  table.items().flatMap((item) => (item.pk.startsWith('TASKS#') ? [parseTask(item)] : []));

const left = (table: MemoryTable) => table.items().filter(({ pk }) => !pk.startsWith('TASKS#'));

describe('what release 0.2.0 has listed', () => {
  it('becomes tasks, wherever the process dies', async () => {
    await dyingAnywhere({
      begin: async (tick) => {
        const table = new MemoryTable(tick);
        await listing(table);
        return table;
      },
      run: (table) => adoptLists({ table, ...at }),
      check: async (table) => {
        await adoptLists({ table, ...at });
        expect(left(table)).toEqual([]);
        expect(tasksOf(table)).toHaveLength(listed.length);
        expect(tasksOf(table)).toEqual(
          expect.arrayContaining(listed.map(([, , task]): unknown => expect.objectContaining(task))),
        );
      },
    });
  });

  it('stays listed when a function of 0.2.0 has listed it again meanwhile, for the next time', async () => {
    const table = new MemoryTable();
    await listing(table);
    await frozenAt(table, (operation) => operation === 'delete').during(
      (view) => adoptLists({ table: view, ...at }),
      () => table.write({ kind: 'update', key: listed[0][0], set: {}, expect: {} }),
    );
    expect(left(table)).toHaveLength(1);
    await adoptLists({ table, ...at });
    expect(left(table)).toEqual([]);
  });

  it('is one task with work that is listed anew', async () => {
    const table = new MemoryTable();
    await listing(table);
    await addTask({ table, ...at }, { ...listed[0][2], due: due + 1 });
    await adoptLists({ table, ...at });
    expect(tasksOf(table)).toHaveLength(listed.length);
  });

  it('and cannot be read holds up nothing else', async () => {
    const table = new MemoryTable();
    await table.put({ pk: 'EXPORT-OUTBOX#0', sk: 'x' }, {});
    await listing(table);
    await expect(adoptLists({ table, ...at })).rejects.toThrow('Invalid');
    expect(left(table)).toHaveLength(1);
  });
});
