import { describe, expect, it } from 'vitest';
import { isUnavailable } from '../../shared/runtime/aws-errors.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { addCustomSegment } from '../../shared/segments/custom-segments.ts';
import { countMembers, snapshotChunks } from '../../shared/membership/read-members.ts';
import { membersFrom } from '../../shared/membership/walk-members.ts';
import { bitsOf, encodeChunk, offsetsFrom } from '../../shared/membership/chunk.ts';
import { identityKey } from '../../shared/catalogue/identity.ts';
import { resolveDefinition } from '../../shared/segments/resolve-definition.ts';
import { keys, type Key } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { SideTime } from '../support/side-time.ts';
import { viewOf } from '../support/table-view.ts';
import { indexedHarness } from '../ingest/indexed-harness.ts';
import { seeded } from '../ingest/interleave.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { timelineHarness } from '../timelines/harness.ts';
import { ada } from '../support/requests.ts';

const property = scope.id;
const level = (name: string) =>
  ({
    type: 'demographic',
    path: ['Demographics', 'Education level'],
    name: `Education level: ${name}`,
  }) as const;
const pause = () => Promise.resolve();

/** Ann is in X, Ben in Y. During the first query of the chunks of X, one POST moves Ann to Y. */
const setUp = async () => {
  let before: (operation: string, key: Key) => Promise<void> | void = () => undefined;
  const reads: string[] = [];
  const table = new MemoryTable(async (operation, wanted) => {
    const chunks = wanted.filter(({ pk }) => kindOfKey(pk) === 'chunk');
    if (operation === 'query' || operation === 'getMany') reads.push(...chunks.map(() => operation));
    const [key] = wanted;
    if (key) await before(operation, key);
  });
  const indexed = indexedHarness(table);
  await indexed.apply([
    accepted({ email: 'ann@example.org', education_level: 'X' }, 0),
    accepted({ email: 'ben@example.org', education_level: 'Y' }, 1),
  ]);
  const ids = await indexed.catalogue.findIds(property, [level('X'), level('Y')]);
  const [x = 0, y = 0] = [ids.get(identityKey(level('X'))), ids.get(identityKey(level('Y')))];
  const moved = { times: 0 };
  /** Moves Ann to the other segment during each of the next queries of X. */
  const moveAnn = (times: number): void => {
    const { pk } = keys.chunk(property, x, 0, 0);
    before = async (operation, key) => {
      if (moved.times === times || key.pk !== pk || !/query|getMany/.test(operation)) return;
      moved.times += 1;
      const wait = before;
      before = () => undefined;
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      const education_level = moved.times % 2 === 1 ? 'Y' : 'X';
      await indexed.apply([accepted({ email: 'ann@example.org', education_level }, 1 + moved.times)], 'now');
      before = wait;
    };
  };
  return { table, indexed, moved, moveAnn, reads, definition: { any: [x, y] }, x, y };
};

const ordinalsOf = async (chunks: ReturnType<typeof snapshotChunks>): Promise<readonly number[]> => {
  const found: number[] = [];
  for await (const { base, bits } of chunks) found.push(...offsetsFrom(bits).map((offset) => base + offset));
  return found;
};

describe('a person who moves from one segment to another while both are read', () => {
  it('is in the moment of a custom segment of both', async () => {
    const { table, indexed, moved, moveAnn, definition } = await setUp();
    const resolved = await resolveDefinition({ table, catalogue: indexed.catalogue }, property, definition);
    if (!resolved.ok) throw new Error('definition');
    const { referents: things, ...facts } = resolved.value;
    const draft = { ...facts, name: 'X or Y', created: NOW, created_by: ada };
    const requestIdentity = { property, requestKey: 'r', again: false, now: NOW };
    const made = { draft, referents: things, requestIdentity };
    const custom = await addCustomSegment({ table, pause }, property, made);
    if (!custom.ok) throw new Error('custom');
    expect(await countMembers(table, { property, expression: definition })).toBe(2);
    const profiles = profileRepository({ table });
    const harness = timelineHarness({
      property,
      table,
      readProfiles: profiles.readEach,
      clock: { now: NOW },
    });
    moveAnn(1);
    const { moments } = await harness.created('t', custom.value.id);
    expect(moved.times).toBe(1);
    const members: number[] = [];
    for await (const one of membersFrom(table, { property, expression: moments[0]?.id ?? 0 }))
      members.push(one);
    expect(members).toEqual([0, 1]);
  });

  it('is in the snapshot of an export, however often the person moves', async () => {
    for (const times of [0, 1, 2, 5]) {
      const { table, moved, moveAnn, definition } = await setUp();
      moveAnn(times);
      const kept = snapshotChunks({ table, pause }, { property, expression: definition });
      expect(await ordinalsOf(kept)).toEqual([0, 1]);
      expect(moved.times).toBe(times);
    }
  });

  it('makes the read fail if the moves never end', async () => {
    const { table, moveAnn, definition } = await setUp();
    moveAnn(Number.POSITIVE_INFINITY);
    const kept = snapshotChunks({ table, pause }, { property, expression: definition });
    const failed = ordinalsOf(kept);
    await expect(failed).rejects.toThrow('chunks of a combination');
    await expect(failed).rejects.toSatisfy(isUnavailable);
  });
});

describe('people who come and go without a pause', () => {
  const WRITES_PER_SECOND = 100;
  /** The time (ms) to read a number of items: the table sends four requests of 100 items at once. */
  const readMs = (items: number): number => 8 * Math.ceil(items / 400);

  /**
   * Reads the snapshot of an export over a number of segments while Ann moves back and forth; counts the writes
   * meanwhile.
   */
  const readInTraffic = async (seed: number, segments: number) => {
    const { table, x, y } = await setUp();
    const empty = Array.from({ length: segments - 2 }, (_, n) => 5_000_000 + n);
    const target = { any: [x, y, ...empty] };
    const crowded = new Set([x, y].map((segment) => keys.chunk(property, segment, 0, 0).pk));
    const time = new SideTime();
    const choose = seeded(seed);
    const chance = (): number => (1 + choose(1_000_000)) / 1_000_000;
    const slow = viewOf(table, {
      get: (key) => time.sleep(readMs(1)).then(() => table.get(key)),
      getMany: (wanted) => time.sleep(readMs(wanted.length)).then(() => table.getMany(wanted)),
      query: async (pk, range) => {
        // The queries of the other segments run at the same time and return nothing.
        if (crowded.has(pk)) await time.sleep(readMs(segments));
        return table.query(pk, range);
      },
    });
    const backoff = (attempt: number): Promise<void> => time.sleep(chance() * 25 * 2 ** attempt);
    const put = (segment: number, members: readonly number[]) =>
      table.put(keys.chunk(property, segment, 0, 0), { members: encodeChunk(bitsOf(members)) });
    const told = { members: new Array<number>(), ended: false, writes: 0 };
    const reader = async (): Promise<void> => {
      try {
        const kept = snapshotChunks({ table: slow, pause: backoff }, { property, expression: target });
        told.members.push(...(await ordinalsOf(kept)));
      } finally {
        told.ended = true;
      }
    };
    const writer = async (): Promise<void> => {
      for (let isInX = true; !told.ended; isInX = !isInX) {
        // Ann is in one of the two segments at every moment.
        await put(isInX ? y : x, [0, 1]);
        await put(isInX ? x : y, [1]);
        told.writes += 2;
        await time.sleep((-Math.log(chance()) * 1_000) / WRITES_PER_SECOND);
      }
    };
    await time.run([reader, writer]);
    return told;
  };

  it.each([
    { segments: 2, trials: 20 },
    { segments: 1_000, trials: 5 },
  ])('do not delay a snapshot of $segments segments', async ({ segments, trials }) => {
    for (let seed = 1; seed <= trials; seed += 1) {
      const { members, writes } = await readInTraffic(seed, segments);
      expect(members).toEqual([0, 1]);
      expect(writes).toBeGreaterThan(0);
    }
  });
});

it('a snapshot of a combination costs two queries for each segment, however often the segment changes', async () => {
  const { table, moveAnn, reads, definition, x } = await setUp();
  const steady = (target: typeof definition | number) =>
    ordinalsOf(snapshotChunks({ table, pause }, { property, expression: target }));
  const counted = async (target: typeof definition | number): Promise<readonly string[]> => {
    reads.length = 0;
    await steady(target);
    return [...reads];
  };
  expect(await counted(x)).toEqual(['query']);
  expect(await counted(definition)).toEqual(['query', 'query', 'query', 'query']);
  moveAnn(1);
  expect((await counted(definition)).filter((read) => read === 'query')).toHaveLength(4);
});
