import { beforeEach, describe, expect, it } from 'vitest';
import { indexingMs, readPointer } from '../../shared/catalogue/brand-pointer.ts';
import { limits } from '../../shared/config/limits.ts';
import { readProgress } from '../../shared/brands/progress.ts';
import { directoryWriter, encodeChunk, noBits } from '../../shared/membership/chunk.ts';
import { blocksIn, singly } from '../../shared/membership/pairs.ts';
import { CHUNKS_PER_GROUP, keys, ORDINALS_PER_CHUNK } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { memberships } from '../ingest/indexed-harness.ts';
import { scope } from '../profiles/harness.ts';
import { dyingAnywhere, type Tick } from '../support/death.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { gate, viewOf } from '../support/table-view.ts';
import { BrandHarness, MARGIN_MS, type Placement } from './harness.ts';

const before: readonly Placement[] = [
  ['p1', 'X', 'A'],
  ['p2', 'X', 'A'],
  ['p3', 'Z', 'A'],
];
const after: readonly Placement[] = [
  ['p1', 'Y', 'C'],
  ['p2', 'X', 'A'],
  ['p3', 'Z', 'A'],
];

/** Waits until a version is in force everywhere, and its back-fill may begin. */
const untilInForce = async (harness: BrandHarness): Promise<void> => {
  for (let round = 0; ((await readPointer(harness.table)).next?.effective ?? null) === null; round += 1) {
    if (round === 10) throw new Error('the version is not prepared');
    harness.now += 2 * MARGIN_MS;
    await harness.advance();
  }
  harness.now += 2 * MARGIN_MS + indexingMs(MARGIN_MS);
};

/** A property whose version of the brands is in force everywhere, and whose index is of the version before. */
const switched = async (): Promise<BrandHarness> => {
  const harness = new BrandHarness(3);
  await harness.open();
  await harness.load(before);
  await harness.settle();
  await harness.store('ann', ['p1'], 'now');
  await harness.store('ben', ['p2', 'p3'], 'now');
  await harness.store('cy', ['p3'], 'now');
  await harness.load(after);
  await untilInForce(harness);
  harness.drains.take();
  return harness;
};

let harness: BrandHarness;
beforeEach(async () => {
  harness = await switched();
});

const idOf = async (name: string): Promise<number> =>
  (await harness.segments()).find(({ segment }) => segment.name === name)?.segment.id ?? 0;

/** The memberships in the journal, as often as they are there. */
const announced = (): readonly string[] => {
  const found: string[] = [];
  for (const { pairs, group } of harness.table.items('journal'))
    if (pairs instanceof Uint8Array && typeof group === 'number')
      for (const { segment, ordinal } of singly(blocksIn(pairs, group))) found.push(`${segment} ${ordinal}`);
  return found.sort();
};

/** The memberships of people in a segment, as `announced` names them. */
const namesOf = async (segment: number, names: readonly string[]): Promise<readonly string[]> => {
  const people = [...(await harness.people())];
  const own = people.filter(([, { email }]) => names.includes(email.split('@')[0] ?? ''));
  return own.map(([ordinal]) => `${segment} ${ordinal}`).sort();
};

const progress = async () => {
  const { next, current } = await readPointer(harness.table);
  return (await readProgress(harness.table, scope.id, next?.version ?? current?.version ?? 0)).progress;
};

const expectAlike = async (where: BrandHarness = harness): Promise<void> => {
  const { indexed, derived } = await memberships(where.table, where.now);
  expect(indexed).toEqual(derived);
};

/** Lets a segment have as many members as fill some chunks, who have no profile. */
const crowd = async (segment: number, chunks: number): Promise<void> => {
  const { table } = harness;
  const groups = Array.from({ length: Math.ceil(chunks / CHUNKS_PER_GROUP) }, (_, group) => group);
  await directoryWriter({ table, pause: () => Promise.resolve() }).ensure(
    scope.id,
    new Map([[segment, new Set(groups)]]),
  );
  for (let at = 0; at < chunks; at += 1) {
    const key = keys.chunk(scope.id, segment, Math.floor(at / CHUNKS_PER_GROUP), at % CHUNKS_PER_GROUP);
    await table.put(key, { members: encodeChunk(noBits().fill(0xffffffff)) });
  }
  await table.increment(keys.counter(scope.id, 'ordinal'), chunks * ORDINALS_PER_CHUNK);
};

/** Time for one step of one property. */
const once = (): (() => boolean) => {
  let looks = 0;
  return () => (looks += 1) < 2;
};

describe('the back-fill of a new version', () => {
  it('announces the members of the segments that the version changes, and nobody else, and asks for drains', async () => {
    const x = await idOf('X');
    expect(await harness.advance()).toBe('under_way');
    expect(announced()).toEqual(await namesOf(x, ['ann', 'ben']));
    expect(harness.drains.takeBodies()).toEqual([{ v: 1, property: scope.id, group: 0 }]);
    expect((await progress())?.state).toBe('filling');
  });

  it('ends when the drainer has indexed what it announced, and not before', async () => {
    expect(await harness.advance()).toBe('under_way');
    expect(await harness.advance()).toBe('under_way');
    await harness.drain();
    expect(await harness.advance()).toBe('done');
    await expectAlike();
  });

  it('announces nothing again while it waits, minute after minute', async () => {
    await harness.advance();
    const first = announced();
    for (let minute = 0; minute < 5; minute += 1) {
      harness.now += 60_000;
      expect(await harness.advance()).toBe('under_way');
    }
    expect(announced()).toEqual(first);
  });

  it('does not wait for what others announce meanwhile', async () => {
    await harness.advance();
    await harness.drain();
    harness.now += 3 * MARGIN_MS;
    await harness.store('di', ['p1'], 'later');
    expect(await harness.advance()).toBe('done');
    await harness.drain();
    await expectAlike();
  });

  it('goes on where it stopped when its time is up', async () => {
    const x = await idOf('X');
    await crowd(x, 70);
    const members = 70 * ORDINALS_PER_CHUNK;
    let calls = 0;
    for (; ((await progress())?.announced?.by ?? null) === null; calls += 1) {
      let steps = 0;
      // One look at the time before the first step, and one behind each.
      expect(await harness.advance({ hasTime: () => (steps += 1) < 3 })).toBe('under_way');
      expect(announced().length).toBe(Math.min((calls + 1) * 2 * limits.brands.announcedAtOnce, members));
    }
    expect(calls).toBe(3);
    expect(new Set(announced()).size).toBe(members);
    expect(harness.drains.takeBodies()).toEqual([0, 1].map((group) => ({ v: 1, property: scope.id, group })));
  });

  it('is the work of one of two calls at once: the other leaves it', async () => {
    const x = await idOf('X');
    await crowd(x, 40);
    const { reached, pass, open } = gate();
    const slow = viewOf(harness.table, {
      writeMany: async (writes) => {
        await pass();
        return harness.table.writeMany(writes);
      },
    });
    const late = harness.advance({ table: slow });
    await reached;
    expect(await harness.advance({ hasTime: once() })).toBe('under_way');
    expect(announced().length).toBe(limits.brands.announcedAtOnce);
    open();
    expect(await late).toBe('under_way');
    // The step that both have taken.
    expect(announced().length).toBe(2 * limits.brands.announcedAtOnce);
    expect(new Set(announced()).size).toBe(limits.brands.announcedAtOnce);
  });

  it('goes through some hundred segments before it stores its place, however few members each has', async () => {
    const many = Array.from({ length: 1_100 }, (_, at) => `m${at}`);
    await harness.settle();
    await harness.load([...after, ...many.map((page): Placement => [page, `B ${page}`, 'A'])]);
    await harness.settle();
    for (let at = 0; at < many.length; at += 100)
      await harness.store(`p${at}`, many.slice(at, at + 100), 'now');
    await harness.load([...after, ...many.map((page): Placement => [page, 'All', 'A'])]);
    await untilInForce(harness);
    await harness.advance({ hasTime: once() });
    expect(announced().length).toBe(1_000);
    await harness.advance();
    expect(new Set(announced()).size).toBe(1_100);
    expect(announced().length).toBe(1_100);
    await harness.settle();
    await expectAlike();
  });

  it('waits for the entries of a call whose clock is ahead, which had announced a part', async () => {
    const x = await idOf('X');
    await crowd(x, 20);
    harness.now += 20_000;
    await harness.advance({ hasTime: once() });
    const first = harness.table.items('journal').map(({ opened }) => opened);
    harness.now -= 20_000;
    await harness.advance();
    const by = (await progress())?.announced?.by ?? 0;
    expect(Math.max(...first.map(Number))).toBeLessThanOrEqual(by);
  });

  it('begins anew where 0.2.0 had reindexed a part, and 0.2.0 where a part is announced', async () => {
    const x = await idOf('X');
    const { next } = await readPointer(harness.table);
    const version = next?.version ?? 0;
    const key = keys.brandProgress(scope.id);
    await harness.table.put(key, { version, state: 'filling', segment: x + 1, ordinal: 0 });
    await harness.advance();
    expect(announced()).toEqual(await namesOf(x, ['ann', 'ben']));
    await crowd(x, 20);
    await harness.table.put(key, { version, state: 'prepared', segment: 0, ordinal: 0 });
    await harness.advance({ hasTime: once() });
    expect((await progress())?.announced?.ordinal).toBeGreaterThan(0);
    expect(await harness.table.get(key)).toMatchObject({ version, state: 'filling', segment: 0, ordinal: 0 });
  });

  it('does not take the announcement of an earlier version for its own', async () => {
    const { next } = await readPointer(harness.table);
    const version = next?.version ?? 0;
    const announcedBefore = { version: version - 1, segment: 0, ordinal: 0, by: harness.now };
    // 0.2.0 changes its own attributes only.
    const stored = { version, state: 'prepared', segment: 0, ordinal: 0, announced: announcedBefore };
    await harness.table.put(keys.brandProgress(scope.id), stored);
    await harness.advance();
    expect(announced()).toHaveLength(2);
  });
});

it('a back-fill whose calls die anywhere ends with the right index, and announces few people twice', async () => {
  const ticking = (table: Table, tick: Tick): Table =>
    viewOf(table, {
      get: async (key) => {
        tick('get', [key]);
        return table.get(key);
      },
      getMany: async (wanted) => {
        tick('getMany', wanted);
        return table.getMany(wanted);
      },
      query: async (pk, range) => {
        tick('query', [{ pk, sk: '' }]);
        return table.query(pk, range);
      },
      write: async (write) => {
        tick('write', [write.key]);
        return table.write(write);
      },
      writeMany: async (writes) => {
        tick(
          'writeMany',
          writes.map(({ key }) => key),
        );
        return table.writeMany(writes);
      },
    });
  const operations = await dyingAnywhere({
    begin: async (tick) => {
      const scene = await switched();
      const drains = new MemoryQueue(() => {
        tick('send', 'drains');
      });
      return { scene, call: { table: ticking(scene.table, tick), drains } };
    },
    run: async ({ scene, call }, through) => {
      await through(() => scene.advance(call));
      await scene.drain();
      await through(() => scene.advance(call));
    },
    check: async ({ scene }) => {
      for (let round = 0; (await readPointer(scene.table)).next !== null; round += 1) {
        if (round === 5) throw new Error('the version is not put in place');
        scene.now += 60_000;
        await scene.drain();
        await scene.advance();
      }
      await scene.drain();
      await expectAlike(scene);
    },
    needsAll: true,
  });
  expect(operations).toBeGreaterThan(30);
});
