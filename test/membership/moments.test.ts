/** Members of moments: people who are forgotten together share the work, and each leaves where each was. */
import { expect, it } from 'vitest';
import { bitsOf, encodeChunk } from '../../shared/membership/chunk.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import type { Pair } from '../../shared/catalogue/types.ts';
import { chunkOf, groupOf, keys, offsetInChunk, ORDINALS_PER_CHUNK } from '../../shared/table/keys.ts';
import { MemoryTable } from '../support/memory-table.ts';

const [near, far] = [1, ORDINALS_PER_CHUNK + 1];

it('rewrites a finished moment only where it has one of the people, and an open one everywhere', async () => {
  const table = new MemoryTable();
  const facts = { timeline: 1, previous: null, touched: null, count: 1, added: null, removed: null };
  const add = async (segment: number, open: boolean, ordinal: number): Promise<void> => {
    await table.put(keys.moment(7, segment), { ...facts, segment, open });
    const key = keys.chunk(7, segment, groupOf(ordinal), chunkOf(ordinal));
    await table.put(key, { members: encodeChunk(bitsOf([offsetInChunk(ordinal)])) });
  };
  await add(1, false, near);
  await add(2, false, far);
  await add(3, true, near);
  const work: (readonly Pair[])[] = [];
  const membership = {
    reindex: (_: unknown, pairs: readonly Pair[]) => {
      work.push(pairs);
      return Promise.resolve();
    },
  };
  await momentMembers({ table, clock: () => 5, membership }).remove(7, [near, far]);
  expect(work).toEqual([
    [
      { segment: 1, ordinal: near },
      { segment: 2, ordinal: far },
    ],
    [
      { segment: 3, ordinal: near },
      { segment: 3, ordinal: far },
    ],
  ]);
});
