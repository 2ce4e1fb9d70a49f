import { expect, it } from 'vitest';
import { reimport } from './reimport.ts';

/** As many people to a chunk as leave room for more chunks than a batch may lie in to be indexed by itself. */
const people = 20_000;
const chunks = 20;

it('known people who come again in random order with a new tag cost a write per thousand of them', async () => {
  const cost = await reimport({ people, gap: 3_096, rowsPerSecond: 2_500, seed: 1 });
  expect(cost).toMatchObject({
    members: people,
    chunkWrites: chunks,
    directoryWrites: 1,
    drains: 1,
    sweeps: 0,
  });
}, 120_000);
