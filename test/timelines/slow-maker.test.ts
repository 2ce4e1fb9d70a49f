import { describe, expect, it } from 'vitest';
import { frozenAt } from '../support/frozen.ts';
import { clearUpMoments, HOUR, taggedPeople } from './harness.ts';

/** A timeline of three people, due for its second moment, whose maker is held at the write that brings the moment. */
const setUp = async () => {
  const { tag, clock, table, harness } = await taggedPeople();
  const { id } = await harness().created('t', tag);
  clock.now += HOUR;
  const { view, reached, thaw } = frozenAt(
    table,
    (_operation, _key, write) => write?.kind === 'update' && 'latest' in write.set,
  );
  const slow = harness(view).add(id);
  await reached;
  return { id, clock, table, harness, slow, thaw };
};

describe('a maker of a moment that is slow', () => {
  it('brings no second moment into the hour when another maker is faster', async () => {
    const { id, harness, slow, thaw } = await setUp();
    expect((await harness().add(id)).status).toBe(201);
    thaw();
    expect((await slow).status).toBe(429);
    expect((await harness().counted(id)).moments).toHaveLength(2);
  });

  it('brings its moment whole: nothing is cleared up while the maker may be alive', async () => {
    const { id, clock, table, harness, slow, thaw } = await setUp();
    clock.now += 2_000;
    expect(await clearUpMoments({ table, clock: () => clock.now })).toBe(0);
    thaw();
    expect((await slow).status).toBe(201);
    expect((await harness().counted(id)).moments.map(({ count }) => count)).toEqual([3, 3]);
  });
});
