import { expect, it } from 'vitest';
import { casesOf } from '../support/scale.ts';
import { reimport } from './reimport.ts';

/** As many people to a chunk as leave room for more chunks than a batch may lie in to be indexed by itself. */
const perChunk = casesOf('PEOPLE_PER_CHUNK', { full: 1_000, sample: 250 });
const chunks = 20;
const people = chunks * perChunk;

it('known people who come again in random order with a new tag cost a write per chunk of them', async () => {
  const cost = await reimport({ people, perChunk, rowsPerSecond: 2_500, seed: 1 });
  expect(cost).toMatchObject({
    members: people,
    chunkWrites: chunks,
    directoryWrites: 1,
    drains: 1,
    sweeps: 0,
  });
}, 120_000);
