import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { countMembers, snapshotChunks } from '../../shared/membership/read-members.ts';
import { hasMember, removeChunks, sealChunks } from '../../shared/membership/chunk.ts';
import { ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import { removeMoment } from '../../shared/timelines/moment-steps.ts';
import { property, putMoment } from '../segments/fixture.ts';
import { MemoryTable } from '../support/memory-table.ts';

const GROUPS = 20;

/** A segment with a member in each of many groups, and the most queries that ran at once. */
const scene = async () => {
  const seen = { running: 0, most: 0 };
  const table = new MemoryTable(async (operation) => {
    if (operation !== 'query') return;
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    await nextTurn();
    seen.running -= 1;
  });
  const ordinals = Array.from({ length: GROUPS }, (_, group) => group * ORDINALS_PER_GROUP);
  const segment = await putMoment(table, 'm', ordinals);
  return { table, segment, seen };
};

const chunksOf = async (table: MemoryTable, segment: number): Promise<number> => {
  let chunks = 0;
  const deps = { table, pause: () => Promise.resolve() };
  for await (const { bits } of snapshotChunks(deps, { property, expression: segment }))
    chunks += Number(bits.length > 0);
  return chunks;
};

it.each<[string, (table: MemoryTable, segment: number) => Promise<unknown>, unknown]>([
  ['a count', (table, segment) => countMembers(table, { property, expression: segment }), GROUPS],
  ['the plan of an export', chunksOf, GROUPS],
  ['the look for a member', (table, segment) => hasMember(table, property, segment), true],
  ['a seal', (table, segment) => sealChunks(table, property, segment), 'members'],
  ['a removal', (table, segment) => removeChunks(table, property, segment), undefined],
  [
    'the end of a moment',
    (table, segment) => removeMoment(table, { property, timeline: 1, segment }),
    undefined,
  ],
])('%s reads several groups at once, and no more than the limit', async (_, act, outcome) => {
  const { table, segment, seen } = await scene();
  expect(await act(table, segment)).toEqual(outcome);
  expect(seen.most).toBe(limits.segments.groupsAtOnce);
});
