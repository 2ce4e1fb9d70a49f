import { describe, expect, it } from 'vitest';
import { readUnits } from '../../local/services/dynamodb/sizes.ts';
import { profileItems, ProfileSizes, readProfileItems } from '../../shared/profiles/profile-items.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { profileItem } from '../../shared/profiles/stored-profile.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { type Key, keys, PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';
import type { Range } from '../../shared/table/table.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { bytesOf } from '../support/slow-table.ts';

const PROPERTY = 1;
const EMPTY = 7;
const upTo = (count: number, step = 1): readonly number[] =>
  Array.from({ length: count }, (_, index) => index * step);

/** A table with an item at each of these ordinals but `EMPTY`, and the operations since it was filled. */
const tableWith = async (ordinals: readonly number[]) => {
  const operations: string[] = [];
  const table = new MemoryTable((operation) => void operations.push(operation));
  for (const ordinal of ordinals)
    if (ordinal !== EMPTY) await table.put(keys.profile(PROPERTY, ordinal), { at: ordinal, redirect: 0 });
  operations.length = 0;
  return { table, operations };
};

it.each([
  ['few neighbours', upTo(PROFILES_PER_BLOCK / 4 - 1), ['getMany']],
  ['a quarter of a block', upTo(PROFILES_PER_BLOCK / 4), ['query']],
  ['a quarter of a block, spread over it', upTo(PROFILES_PER_BLOCK / 4, 4), ['query']],
  ['as many of many blocks', upTo(PROFILES_PER_BLOCK / 4, 40), ['getMany']],
  ['two blocks, and a few of the third', upTo(2 * PROFILES_PER_BLOCK + 3), ['query', 'getMany', 'query']],
  ['none', [], []],
])('reads %s in the cheaper way', async (_, ordinals, expected) => {
  const { table, operations } = await tableWith(ordinals);
  const found = await readProfileItems(table, PROPERTY, [...ordinals, ...ordinals.slice(0, 3)].toReversed());
  expect(operations).toEqual(expected);
  const places = [...found]
    .map(([ordinal, { at }]) => [ordinal, at])
    .sort(([a], [b]) => Number(a) - Number(b));
  const stored = ordinals.filter((ordinal) => ordinal !== EMPTY);
  expect(places).toEqual(stored.map((ordinal) => [ordinal, ordinal]));
});

describe('the units of reads', () => {
  const OTHERS = bytesOf({ pk: 'P#1#B#0', sk: '000', w: 'w1', state: '' });

  /** Reads of a table in which everybody up to the last ordinal has a profile of the size for their ordinal. */
  const world = async (last: number, sizeOf: (ordinal: number) => number) => {
    const table = new MemoryTable();
    for (const ordinal of upTo(last + 1)) {
      const state = 'x'.repeat(Math.max(sizeOf(ordinal) - OTHERS, 0));
      await table.put(keys.profile(PROPERTY, ordinal), { state });
    }
    const unitsOfAll = (items: readonly unknown[]): number =>
      readUnits(
        items.reduce<number>((sum, item) => sum + bytesOf(item), 0),
        true,
      );
    let units = 0;
    const metered = {
      getMany: async (wanted: readonly Key[]) => {
        const items = await table.getMany(wanted);
        for (const item of items) units += unitsOfAll(item ? [item] : []);
        return items;
      },
      query: async (pk: string, range?: Range) => {
        const page = await table.query(pk, range);
        units += unitsOfAll(page.items);
        return page;
      },
    };
    const known = new ProfileSizes();
    const read = async (ordinals: readonly number[], sizes = known): Promise<number> => {
      units = 0;
      const seen: number[] = [];
      for await (const step of profileItems(metered, PROPERTY, ordinals, sizes))
        seen.push(...step.map(([ordinal]) => ordinal));
      expect(seen).toEqual(ordinals);
      return units;
    };
    /** What these reads cost by the rule of before: a block by query if 64 of it are wanted, all others by key. */
    const before = (ordinals: readonly number[]): number =>
      [...Map.groupBy(ordinals, (ordinal) => Math.floor(ordinal / PROFILES_PER_BLOCK)).values()]
        .map((block) => {
          if (block.length < PROFILES_PER_BLOCK / 4)
            return block.reduce((sum, ordinal) => sum + readUnits(sizeOf(ordinal), true), 0);
          const [from, to] = [Math.min(...block), Math.max(...block)];
          const bytes = upTo(to - from + 1).reduce((sum, offset) => sum + sizeOf(from + offset), 0);
          return readUnits(bytes, true);
        })
        .reduce((sum, units) => sum + units, 0);
    return { read, before };
  };

  it.each([
    ['all neighbours', 600, upTo(1_000), 148, 149],
    ['all neighbours, from the middle of a block', 600, upTo(1_000).map((one) => one + 232), 169, 149],
    ['every second', 600, upTo(500, 2), 148, 148],
    ['every sixth', 300, upTo(1_000, 6), 1_000, 445],
    ['every eighth', 300, upTo(1_000, 8), 1_000, 597],
    ['every tenth', 300, upTo(1_000, 10), 1_000, 1_000],
    ['every second, large', 20_000, upTo(300, 2), 2_712, 1_500],
    ['groups of 16', 600, upTo(640).map((one) => Math.floor(one / 16) * 256 + (one % 16)), 640, 120],
    ['single ones', 600, upTo(40, 250), 40, 40],
  ])('of %s of %i bytes are those of the cheaper way', async (_, size, ordinals, former, now) => {
    const { read, before } = await world(ordinals.at(-1) ?? 0, () => size);
    expect(before(ordinals)).toBe(former);
    // The first read shows the size. Of a few last ones it knows nothing, so it cannot cost more than a rounding.
    expect(await read(ordinals)).toBeLessThanOrEqual(former + 1);
    expect(await read(ordinals)).toBe(now);
    expect(Math.abs((await read(ordinals.toReversed())) - now)).toBeLessThanOrEqual(2);
  });

  it('go down while one long walk learns the sizes', async () => {
    const { read, before } = await world(8_000, () => 300);
    const ordinals = upTo(1_000, 8);
    expect(before(ordinals)).toBe(1_000);
    expect(await read(ordinals, new ProfileSizes())).toBeLessThan(750);
  });

  it('are the fewest from the second page of a process on', async () => {
    const { table, operations } = await tableWith(upTo(2_000));
    const { readEach } = profileRepository({ table });
    const walk = async () => {
      operations.length = 0;
      for await (const profile of readEach(PROPERTY, upTo(250, 8))) expect(profile).toBeDefined();
      return new Set(operations);
    };
    expect(await walk()).toEqual(new Set(['getMany']));
    expect(await walk()).toEqual(new Set(['query']));
  });

  it('are the least on average if a few profiles are large', async () => {
    const { read, before } = await world(8_000, (ordinal) => (ordinal % 101 === 7 ? 30_000 : 300));
    const ordinals = upTo(1_000, 8);
    await read(ordinals);
    expect(await read(ordinals)).toBeLessThanOrEqual(before(ordinals));
  });

  it('rise by one read of 2 MB where profiles are suddenly large, and then no further', async () => {
    const { read, before } = await world(12_000, (ordinal) => (ordinal < 6_000 ? 300 : 30_000));
    const small = upTo(700, 8);
    const large = upTo(600, 8).map((one) => one + 6_000);
    await read(small);
    const underWay = 4;
    const surprise = 2 * Math.ceil(1_030_000 / 4_096);
    expect(await read(large)).toBeLessThanOrEqual(before(large) + underWay * surprise);
    expect(await read(large)).toBe(before(large));
    for (let times = 0; times < 4; times += 1) await read(small);
    expect(await read(small)).toBeLessThan(before(small));
  });

  it.each([
    ['a third of a block', 300, upTo(86, 3), true],
    ['a few neighbours, which share a call with others', 300, upTo(8), false],
    ['some more neighbours', 300, upTo(10), true],
    ['one in ten of the smallest', 60, upTo(25, 10), false],
  ])('say of %s whether a query is worth its call', (_, size, ordinals, isDense) => {
    const sizes = new ProfileSizes();
    sizes.note(PROPERTY, [{ pk: '', sk: '', w: '', state: 'x'.repeat(size - OTHERS) }]);
    expect(sizes.isDense(PROPERTY, ordinals)).toBe(isDense);
  });

  it('are chosen by the latest 1,000 properties', () => {
    const sizes = new ProfileSizes();
    const few = upTo(32);
    const item = { pk: '', sk: '', w: '', state: 'x'.repeat(300) };
    for (const property of upTo(1_000)) sizes.note(property, [item]);
    expect(sizes.isDense(0, few)).toBe(true);
    sizes.note(1_000, [item]);
    expect(sizes.isDense(1, few)).toBe(true);
    expect(sizes.isDense(0, few)).toBe(false);
  });
});

describe('many large items', () => {
  const BYTES = 380_000;
  const FEW_STEPS = 5 * 24_500_000;
  const FEW_KNOWN_STEPS = 5 * 2_900_000;

  /** Reads items of the largest size step by step; returns the ordinals, and the most bytes that were read ahead. */
  const walk = async (ordinals: readonly number[], sizes: ProfileSizes) => {
    let read = 0;
    const one = { w: 'w', state: 'x'.repeat(BYTES) };
    const take = <Item>(items: readonly Item[]): readonly Item[] => {
      read += items.length * BYTES;
      return items;
    };
    const all = new MemoryTable();
    for (const ordinal of ordinals) await all.put(keys.profile(PROPERTY, ordinal), one);
    const table = {
      getMany: async (wanted: readonly Key[]) => take(await all.getMany(wanted)),
      query: async (pk: string, range?: Range) => {
        const page = await all.query(pk, range);
        return { ...page, items: take(page.items) };
      },
    };
    const seen: number[] = [];
    let most = 0;
    for await (const step of profileItems(table, PROPERTY, ordinals, sizes)) {
      await new Promise(setImmediate);
      most = Math.max(most, read - seen.length * BYTES);
      seen.push(...step.map(([ordinal]) => ordinal));
    }
    return { seen, most };
  };

  it.each([
    ['neighbours', upTo(500)],
    ['scattered', upTo(500, 9)],
    [
      'of dense and sparse blocks',
      [...upTo(300), ...upTo(40, 90).map((one) => 10_000 + one), ...upTo(200).map((one) => 90_000 + one)],
    ],
  ])('are read a few steps ahead, in order, if they are %s', async (_, ordinals) => {
    const sizes = new ProfileSizes();
    for (const [wanted, bound] of [
      [ordinals, FEW_STEPS],
      [ordinals.toReversed(), FEW_KNOWN_STEPS],
    ] as const) {
      const { seen, most } = await walk(wanted, sizes);
      expect(seen).toEqual(wanted);
      expect(most).toBeLessThan(bound);
    }
  });

  it('are no longer read once nobody takes them', async () => {
    const operations: string[] = [];
    const table = new MemoryTable((operation) => void operations.push(operation));
    const steps = profileItems(table, PROPERTY, upTo(100 * PROFILES_PER_BLOCK));
    await steps.next();
    await steps.return();
    await new Promise(setImmediate);
    expect(operations.length).toBeLessThanOrEqual(5);
  });
});

describe('profiles by the reads that brought them', () => {
  const stored = async () => {
    const table = new MemoryTable();
    const group = { tier: 1, stamp: stampOf(1), origin: 'api' };
    for (const ordinal of upTo(400)) {
      const state = JSON.stringify([{ ...group, values: { city: `C${ordinal}` } }]);
      if (ordinal !== EMPTY) await table.put(keys.profile(PROPERTY, ordinal), profileItem(state, ordinal));
    }
    await table.put(keys.profile(PROPERTY, 300), { redirect: 1 });
    return { table, repository: profileRepository({ table }) };
  };

  it('are those that are read one by one, in fewer steps', async () => {
    const { repository } = await stored();
    const each = await Array.fromAsync(repository.readEach(PROPERTY, upTo(400)));
    const steps = await Array.fromAsync(repository.readSteps(PROPERTY, upTo(400)), (step) => [...step]);
    expect(steps.flat()).toEqual(each);
    expect(each).toHaveLength(398);
    expect(steps.length).toBeLessThan(5);
  });

  it('are resolved when they are taken', async () => {
    const { table, repository } = await stored();
    await table.put(keys.profile(PROPERTY, 2), profileItem('[{"tier":8}]', 2));
    const taken: number[] = [];
    const takeAll = async (): Promise<void> => {
      for await (const step of repository.readSteps(PROPERTY, upTo(400)))
        for (const { ordinal } of step) taken.push(ordinal);
    };
    await expect(takeAll()).rejects.toThrow('Invalid type');
    expect(taken).toEqual([0, 1]);
  });
});
