import { expect, it } from 'vitest';
import { clearUpMoments } from '../../shared/timelines/clear-up-moments.ts';
import { keys } from '../../shared/table/keys.ts';
import { property } from '../segments/fixture.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { START } from './harness.ts';

it('a moment that cannot be cleared up does not keep the others from that, and its failure is told', async () => {
  const table = new MemoryTable();
  const timeline = property * 1_000_000_000 + 1;
  await table.put(keys.timeline(property, timeline), { id: 'broken' });
  const making = (segment: number) => ({ property, segment, since: START });
  await table.put(keys.making(property, 16), { ...making(16), timeline });
  await table.put(keys.making(property, 17), { ...making(17), timeline: timeline + 1 });
  const now = START + 86_400_000;
  await expect(clearUpMoments({ table, clock: () => now })).rejects.toThrow('Invalid');
  expect(await table.get(keys.making(property, 17))).toBeUndefined();
});
