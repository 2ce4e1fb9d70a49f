import { describe, expect, it } from 'vitest';
import { ordinalSource } from '../../shared/ingest/ordinals.ts';
import { chunkOf, groupOf, keys } from '../../shared/table/keys.ts';
import { seeded } from './interleave.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { SideTime } from '../support/side-time.ts';

const PROPERTY = 7;

/** A process on a track. */
const on = (table: MemoryTable, track: number) => ordinalSource(table, { of: () => track });

const placeOf = (ordinal: number | undefined): string =>
  ordinal === undefined ? 'none' : `${groupOf(ordinal)} ${chunkOf(ordinal)}`;

describe('ordinals', () => {
  it('of a batch come from the counter, as many as are asked for, on whatever track', async () => {
    const table = new MemoryTable();
    await on(table, 0).take(PROPERTY, 1);
    expect(await on(table, 3).take(PROPERTY, 5)).toEqual([16, 17, 18, 19, 20]);
    expect(await on(table, 3).take(PROPERTY, 0)).toEqual([]);
  });

  it('of single people on two tracks are in two chunks, and those of one track in one', async () => {
    const table = new MemoryTable();
    await on(table, 0).take(PROPERTY, 1);
    const [first] = await on(table, 1).take(PROPERTY, 1);
    const [beside] = await on(table, 1).take(PROPERTY, 1);
    const [second] = await on(table, 2).take(PROPERTY, 1);
    expect(placeOf(first)).toBe(placeOf(beside));
    expect(new Set([first, beside, second]).size).toBe(3);
    expect(placeOf(second)).not.toBe(placeOf(first));
  });

  it('of a used up track come from a further chunk', async () => {
    const table = new MemoryTable();
    await on(table, 0).take(PROPERTY, 1);
    const process = on(table, 1);
    const taken: number[] = [];
    for (let n = 0; n < 4_096 + 1; n += 1) taken.push(...(await process.take(PROPERTY, 1)));
    expect(new Set(taken).size).toBe(taken.length);
    expect(Math.max(...taken)).toBe(16 + 4_096);
    expect(await table.get(keys.counter(PROPERTY, 'ordinal'))).toMatchObject({ value: 16 + 2 * 4_096 });
  });

  it('are given out once, and below the counter, to processes that change their tracks and meet there', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const choose = seeded(seed);
      const time = new SideTime(1);
      const table = new MemoryTable(() => time.sleep(choose(10)));
      const taken: number[] = [];
      const process = () => {
        const source = ordinalSource(table, { of: () => choose(3) });
        return async () => {
          for (let n = 0; n < 60; n += 1)
            taken.push(...(await source.take(PROPERTY, choose(4) === 0 ? 1 + choose(900) : 1)));
        };
      };
      await time.run(Array.from({ length: 5 }, process));
      expect(new Set(taken).size).toBe(taken.length);
      const counter = table.items().find(({ sk }) => sk === keys.counter(PROPERTY, 'ordinal').sk);
      expect(counter?.['value']).toBeGreaterThan(Math.max(...taken));
    }
  });
});
