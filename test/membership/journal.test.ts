import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { journal, type Journal, isRipe } from '../../shared/membership/journal.ts';
import { blocksIn, singly } from '../../shared/membership/pairs.ts';
import type { Pair } from '../../shared/catalogue/types.ts';
import { JOURNAL_PARTITIONS, keys, ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { blockOf } from '../support/blocks.ts';

const LIFE_MS = limits.segments.journalSeconds * 1000;
const MARGIN_MS = limits.segments.journalMarginSeconds * 1000;
const start = Date.UTC(2026, 0, 1);
const pair = (segment: number, ordinal: number): Pair => ({ segment, ordinal });

let now = start;
let table: MemoryTable;
let log: Journal;

beforeEach(() => {
  now = start;
  table = new MemoryTable();
  log = journal({ table, clock: () => now });
});

const ripePairs = async (property: number, group: number): Promise<readonly Pair[]> => {
  const { entries } = await log.ripe(property, group);
  const found = singly(entries.flatMap(({ pairs }) => blocksIn(pairs, group)));
  return found.toSorted((a, b) => a.ordinal - b.ordinal);
};

describe('the journal', () => {
  it('hands out an entry after its writer has closed it', async () => {
    const entry = await log.open(1, 'c', [pair(5, 1), pair(5, 2)]);
    expect(await ripePairs(1, 0)).toEqual([]);
    await log.close(entry);
    expect(await ripePairs(1, 0)).toEqual([pair(5, 1), pair(5, 2)]);
  });

  it('hands out the entry of a dead writer after the entry has expired', async () => {
    await log.open(1, 'c', [pair(5, 1)]);
    now = start + LIFE_MS + MARGIN_MS;
    expect(await ripePairs(1, 0)).toEqual([]);
    now += 1;
    expect(await ripePairs(1, 0)).toEqual([pair(5, 1)]);
  });

  it('allows profile writes until a margin before the entry expires', async () => {
    const entry = await log.open(1, 'c', [pair(5, 1)]);
    expect(entry.writeUntil).toBe(entry.until - MARGIN_MS);
    expect(isRipe({ done: false, until: entry.until }, entry.until + MARGIN_MS)).toBe(false);
  });

  it('gives a write 115 s to arrive, also if the clock of the drainer is ahead', async () => {
    const { until, writeUntil } = await log.open(1, 'c', [pair(5, 1)]);
    const aheadMs = limits.clockSkewSeconds * 1000;
    expect(isRipe({ done: false, until }, writeUntil + 115_000 + aheadMs)).toBe(false);
  });

  it('keeps the pairs of an extension as long as the pairs of the opening', async () => {
    const entry = await log.open(1, 'c', [pair(5, 1)]);
    now += 1000;
    const extended = await log.extend(entry, [pair(6, 1)]);
    expect(extended.until).toBe(entry.until);
    expect(await ripePairs(1, 0)).toEqual([]);
    await log.close(extended);
    expect(await ripePairs(1, 0)).toHaveLength(2);
  });

  it('keeps an item that has changed since it was read', async () => {
    const entry = await log.open(1, 'c', [pair(5, 1)]);
    now = entry.until + MARGIN_MS + 1;
    const seen = await log.ripe(1, 0);
    await log.close(entry);
    await log.retireEntries(seen.entries);
    expect(await ripePairs(1, 0)).toEqual([pair(5, 1)]);
    await log.retireEntries((await log.ripe(1, 0)).entries);
    expect(table.items()).toEqual([]);
  });

  it('tells the writer whether its entry was still complete', async () => {
    const entry = await log.open(1, 'c', [pair(5, 1), pair(5, ORDINALS_PER_GROUP)]);
    now = entry.until + MARGIN_MS + 1;
    await log.retireEntries((await log.ripe(1, 1)).entries);
    expect(await log.close(entry)).toBe(false);
    expect(await log.close(await log.open(1, 'd', [pair(5, 1)]))).toBe(true);
  });

  it('keeps the rest of an item that is cut at an ordinal, and tells the writer', async () => {
    const entry = await log.open(1, 'c', [pair(5, 1), pair(5, 2), pair(6, 1), pair(6, 3)]);
    now = entry.until + MARGIN_MS + 1;
    await log.truncateEntries((await log.ripe(1, 0)).entries, 1);
    expect(await ripePairs(1, 0)).toEqual([pair(5, 2), pair(6, 3)]);
    expect(await log.close(entry)).toBe(false);
    expect(await ripePairs(1, 0)).toEqual([pair(5, 2), pair(6, 3)]);
  });

  it('does not cut an item that has changed since it was read', async () => {
    const entry = await log.open(1, 'c', [pair(5, 1), pair(5, 2)]);
    now = entry.until + MARGIN_MS + 1;
    const seen = await log.ripe(1, 0);
    await log.close(entry);
    await log.truncateEntries(seen.entries, 1);
    expect(await ripePairs(1, 0)).toEqual([pair(5, 1), pair(5, 2)]);
  });

  it('lists every segment that is announced for an ordinal, ripe or not, however long the journal is', async () => {
    const others = Array.from({ length: 250_000 }, (_, ordinal) => pair(7, ordinal));
    // A single look reads 24 of them at most.
    const entries = 28;
    for (let attempt = 0; attempt < entries; attempt += 1)
      await log.open(1, `c${attempt}`, [...others, pair(100 + attempt, 3)]);
    expect((await log.waiting(1, 0)).more).toBe(true);
    const pairs = await log.pairsWith(1, [3]);
    const named = pairs.map(({ segment }) => segment).toSorted((a, b) => a - b);
    expect(named).toEqual([7, ...Array.from({ length: entries }, (_, attempt) => 100 + attempt)]);
    expect(await log.pairsWith(1, [ORDINALS_PER_GROUP])).toEqual([]);
    expect(await log.pairsWith(2, [3])).toEqual([]);
  });

  it('knows when an entry was opened, whatever lifetime entries had at that time', async () => {
    const entry = await log.open(1, 'c', [pair(5, 1)]);
    const [key] = entry.items;
    if (!key) throw new Error('an entry without items');
    // A deployment with a longer entry lifetime has written this entry.
    await table.write({ kind: 'update', key, set: { until: start + 10 * LIFE_MS }, expect: {} });
    expect(await log.isEmpty(1, start)).toBe(false);
    expect(await log.isEmpty(1, start - 1)).toBe(true);
  });

  it('removes an entry that its writer has indexed', async () => {
    const entry = await log.open(1, 'c', [pair(5, 1), pair(5, ORDINALS_PER_GROUP)]);
    await log.retire(entry);
    expect(table.items()).toEqual([]);
    await log.close(entry);
    expect(table.items()).toEqual([]);
  });

  it('separates pairs by property and group', async () => {
    const entries = [
      await log.open(1, 'a', [pair(5, 1), pair(5, ORDINALS_PER_GROUP + 2)]),
      await log.open(1, 'b', [pair(5, 3)]),
      await log.open(10, 'c', [pair(5, 4)]),
    ];
    for (const entry of entries) await log.close(entry);
    expect(await ripePairs(1, 0)).toEqual([pair(5, 1), pair(5, 3)]);
    expect(await ripePairs(1, 1)).toEqual([pair(5, ORDINALS_PER_GROUP + 2)]);
    expect(await ripePairs(10, 0)).toEqual([pair(5, 4)]);
  });

  it('splits a long entry into several items', async () => {
    const pairs = Array.from({ length: 200_000 }, (_, ordinal) => pair(7, ordinal)).concat(
      Array.from({ length: 200_000 }, (_, ordinal) => pair(8, ordinal)),
    );
    await log.close(await log.open(1, 'c', pairs));
    const { entries, more } = await log.ripe(1, 0);
    expect(more).toBe(false);
    expect(entries.length).toBeGreaterThan(1);
    expect(entries.every((entry) => entry.pairs.length <= limits.segments.journalEntryBytes)).toBe(true);
    expect(await ripePairs(1, 0)).toHaveLength(pairs.length);
  });

  it('lists the waiting groups of one property or of all properties without reading their entries', async () => {
    for (const property of [1, 2])
      await table.increment(keys.counter(property, 'ordinal'), 3 * ORDINALS_PER_GROUP);
    for (let attempt = 0; attempt < 300; attempt += 1)
      await log.open(1 + (attempt % 2), `c${attempt}`, [pair(5, (attempt % 3) * ORDINALS_PER_GROUP)]);
    expect(await log.groups()).toHaveLength(6);
    const own = await log.groups(2);
    expect(own.map(({ group }) => group).sort()).toEqual([0, 1, 2]);
    expect(await log.groups(3)).toEqual([]);
  });

  it.each([0, 1, 2, 7, 30])(
    'finds an entry about the newest of a property with %i whole groups, wherever it is',
    async (whole) => {
      for (let property = 1; property <= 5; property += 1) {
        await table.increment(keys.counter(property, 'ordinal'), whole * ORDINALS_PER_GROUP + 1);
        for (const lane of ['request', 'background'] as const)
          for (let attempt = 0; attempt < 8; attempt += 1) {
            const newest = pair(5, whole * ORDINALS_PER_GROUP);
            const entry = await log.open(property, `${lane}${attempt}`, [newest], { lane });
            expect(await log.isEmpty(property, start)).toBe(false);
            expect(await log.groups(property)).toEqual([{ property, group: whole }]);
            await log.retire(entry);
            expect(await log.isEmpty(property, start)).toBe(true);
          }
      }
    },
  );

  it('looks at a quarter of its partitions where the people of a property are one group', async () => {
    const asked: string[] = [];
    const counting = new MemoryTable((operation, [key]) => {
      if (operation === 'query') asked.push(key?.pk ?? '');
    });
    const looked = async () => {
      asked.length = 0;
      await journal({ table: counting, clock: () => now }).isEmpty(1, start);
      return new Set(asked).size;
    };
    expect(await looked()).toBe(JOURNAL_PARTITIONS / 4);
    await counting.increment(keys.counter(1, 'ordinal'), 100 * ORDINALS_PER_GROUP);
    expect(await looked()).toBe(JOURNAL_PARTITIONS);
    expect(asked).toHaveLength(JOURNAL_PARTITIONS);
  });

  it('refuses an attempt id that was used before', async () => {
    await log.open(1, 'c', [pair(5, 1)]);
    await expect(log.open(1, 'c', [pair(5, 1)])).rejects.toThrow('the attempt id was used before');
  });
});

describe('an announcement for the drainer', () => {
  const [from, to] = [ORDINALS_PER_GROUP, ORDINALS_PER_GROUP + 99_999];
  const block = blockOf([5, 7], from, to);

  it('is closed from its beginning, whoever dies, and costs one write for each item', async () => {
    const rounds: string[] = [];
    const counted = new MemoryTable((operation) => void rounds.push(operation));
    const items = await journal({ table: counted, clock: () => now }).announce(1, 'a', [pair(5, 1), block]);
    expect(rounds).toEqual(['insert', 'insert']);
    expect(items.map(({ group }) => group)).toEqual([0, 1]);
    log = journal({ table: counted, clock: () => now });
    expect(await ripePairs(1, 0)).toEqual([pair(5, 1)]);
    expect(await ripePairs(1, 1)).toHaveLength(200_000);
    expect((await log.ripe(1, 1, 'request')).entries).toEqual([]);
  });

  it('says which of its items are left', async () => {
    const items = await log.announce(1, 'a', [pair(5, 1), block]);
    expect(await log.left(items)).toEqual(items);
    await log.retireEntries((await log.ripe(1, 0)).entries);
    expect(await log.left(items)).toEqual(items.slice(1));
    expect(await log.isEmpty(1, start - 1)).toBe(true);
    expect(await log.groups(1, start)).toEqual([]);
    await table.increment(keys.counter(1, 'ordinal'), to + 1);
    expect(await log.groups(1, start)).toEqual([{ property: 1, group: 1 }]);
  });

  it('keeps the rest of a block that is cut', async () => {
    await log.announce(1, 'a', [block]);
    await log.truncateEntries((await log.ripe(1, 1)).entries, to - 2);
    expect(await ripePairs(1, 1)).toEqual(
      [to - 1, to].flatMap((ordinal) => [pair(5, ordinal), pair(7, ordinal)]),
    );
    const [entry] = (await log.ripe(1, 1)).entries;
    expect(entry?.pairs.length).toBeLessThan(16);
  });

  it('names its pairs for one person', async () => {
    await log.announce(1, 'a', [block]);
    expect(await log.pairsWith(1, [from + 3, to + 1])).toEqual([pair(5, from + 3), pair(7, from + 3)]);
  });

  it('is read in parts that a drainer has the memory for, by the number of its pairs', async () => {
    const segments = Array.from({ length: 15 }, (_, at) => at + 1);
    for (let step = 0; step < 32; step += 1)
      await log.announce(1, `a${step}`, [blockOf(segments, 0, 65_535)]);
    const { entries, more } = await log.ripe(1, 0);
    expect(more).toBe(true);
    expect(entries.length).toBe(5);
  });
});
