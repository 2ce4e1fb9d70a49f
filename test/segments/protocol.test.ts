import { describe, expect, it } from 'vitest';
import { ORDINALS_PER_CHUNK, ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import type { StoredItem, Table } from '../../shared/table/table.ts';
import type { ProfileSketch } from './profiles.ts';
import { World, type Sabotage } from './world.ts';

/** Neighbours, another chunk, another group. */
const ordinals = [0, 1, ORDINALS_PER_CHUNK, ORDINALS_PER_GROUP + 5];
const SEEDS = 300;

const sketchOf = (choose: (below: number) => number): ProfileSketch | undefined =>
  choose(8) === 0 ? undefined : { tags: ['a', 'b'].filter(() => choose(2) === 0) };

/** Writers and drainers on a few profiles, some of them killed; then the sweep. True when the index is right. */
const plays = async (seed: number, sabotage: Sabotage = {}): Promise<boolean> => {
  const world = new World(seed, sabotage);
  const choose = (below: number): number => world.choose(below);
  const stopsAt = (): number => (choose(4) === 0 ? choose(40) : Number.POSITIVE_INFINITY);
  world.start(() => world.write(0, { tags: ['a'] }, 'now'));
  await world.run();
  for (let writer = 0; writer < 4; writer += 1) {
    const ordinal = ordinals[choose(4) === 0 ? choose(ordinals.length) : 0] ?? 0;
    const sketch = sketchOf(choose);
    world.start(() => world.write(ordinal, sketch, choose(2) === 0 ? 'now' : 'later'), stopsAt());
  }
  for (const group of [0, 0, 1]) world.start(() => world.drain(group, 6), stopsAt());
  await world.run(seed % 2 === 0 ? 0 : 200_000);
  await world.settle();
  const { index, profiles } = await world.compare();
  return JSON.stringify(sortedKeys(index)) === JSON.stringify(sortedKeys(profiles));
};

const sortedKeys = (value: unknown): unknown =>
  Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

/** The first seed whose play ends with a wrong index; undefined when all end well. */
const firstFailure = async (sabotage?: Sabotage): Promise<number | undefined> => {
  for (let seed = 1; seed <= SEEDS; seed += 1) if (!(await plays(seed, sabotage))) return seed;
  return undefined;
};

const isChunk = (pk: string): boolean => /#M#\d+#\d+$/.test(pk);
const sameMembers = (item: StoredItem | undefined, members: unknown): boolean =>
  Buffer.compare(Buffer.from(bytesOf(item?.['members'])), Buffer.from(bytesOf(members))) === 0;
const bytesOf = (value: unknown): Uint8Array => (value instanceof Uint8Array ? value : new Uint8Array());

/** A table that does not write a chunk whose members stay the same. */
const skipsNoOps = (table: Table): Table => ({
  ...forwarding(table),
  writeMany: async (writes) => {
    const stored = await table.getMany(writes.map(({ key }) => key));
    const idle = writes.map(
      (write, index) =>
        isChunk(write.key.pk) && write.kind === 'update' && sameMembers(stored[index], write.set['members']),
    );
    const outcomes = await table.writeMany(writes.filter((_, index) => !idle[index]));
    const left = [...outcomes];
    return idle.map((skipped) => (skipped ? 'applied' : (left.shift() ?? 'refused')));
  },
});

/** A table that writes chunks whatever they have become. */
const writesBlindly = (table: Table): Table => ({
  ...forwarding(table),
  writeMany: (writes) =>
    table.writeMany(
      writes.map((write) =>
        isChunk(write.key.pk) && write.kind === 'update' ? { ...write, expect: {} } : write,
      ),
    ),
});

const forwarding = (table: Table): Table => ({
  get: (key) => table.get(key),
  getMany: (keys) => table.getMany(keys),
  query: (pk, range) => table.query(pk, range),
  write: (write) => table.write(write),
  writeMany: (writes) => table.writeMany(writes),
  put: (key, set) => table.put(key, set),
  increment: (key, by) => table.increment(key, by),
});

describe('journal, profile writes, index', () => {
  it(`ends with an index that equals the profiles, in ${SEEDS} interleavings with crashes`, async () => {
    expect(await firstFailure()).toBeUndefined();
  });

  it.each<[string, Sabotage]>([
    ['profiles are read before the chunk', { staleProfiles: true }],
    ['chunks are written without their nonce', { table: writesBlindly }],
    ['chunks that stay the same are not written', { table: skipsNoOps }],
    ['entries are retired before their writers are done', { retireEarly: true }],
    ['profiles are written after the end of the entry', { writeLate: true }],
    ['entries do not grow before a second try', { noExtend: true }],
  ])('goes wrong somewhere when %s', async (_, sabotage) => {
    expect(await firstFailure(sabotage)).toBeDefined();
  });
});
