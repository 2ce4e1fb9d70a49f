import { expect, it } from 'vitest';
import { keys } from '../../shared/table/keys.ts';
import { addTask } from '../../shared/tasks/tasks.ts';
import { property } from '../segments/fixture.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { clearUpMoments, START } from './harness.ts';

it('a moment that cannot be cleared up does not keep the others from that, and its failure is told', async () => {
  const table = new MemoryTable();
  const timeline = property * 1_000_000_000 + 1;
  await table.put(keys.timeline(property, timeline), { id: 'broken' });
  const pause = () => Promise.resolve();
  for (const ids of [
    [timeline, 16],
    [timeline + 1, 17],
  ])
    await addTask({ table, pause }, { kind: 'moment', property, ids, due: START });
  await expect(clearUpMoments({ table, clock: () => START })).rejects.toThrow('Invalid');
  const left = table.items().filter(({ pk }) => pk.startsWith('TASKS#'));
  expect(left.map(({ ids }) => ids)).toEqual([[timeline, 16]]);
});
