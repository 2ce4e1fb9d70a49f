/** Undos that meet a limit: of a profile, or of the memory for a range of people. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { readUndoRange } from '../../shared/ingest/read-undo-log.ts';
import { type UndoEntry, undoJobFolder, undoLog } from '../../shared/ingest/undo-log.ts';
import type { LwwRegister } from '../../shared/profiles/profile-state.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import type { Write } from '../../shared/table/table.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { ofJob, storedStates, withJobs, jobs } from './undo-harness.ts';

const [CLEARS, LATER, TONIGHT] = jobs;
const ann = { email: 'ann@example.org' };

/** A table in memory with DynamoDB's limit of 400 KB for an item. */
class LimitedTable extends MemoryTable {
  override async writeMany(writes: readonly Write[]) {
    for (const write of writes)
      if (write.kind !== 'delete' && JSON.stringify(write.set).length > 409_600)
        throw new Error('Item size has exceeded the maximum allowed size');
    return super.writeMany(writes);
  }
}

/** 300 KB: two of these do not fit one profile. */
const pairs = (prefix: string) =>
  Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`${prefix}${n}`, 'x'.repeat(2_000)]));

/** A job clears what Ann had, and new values take the room. */
const crowded = async () => {
  const { table, harness } = await withJobs(new LimitedTable(), [CLEARS, LATER, TONIGHT]);
  await harness.post(accepted({ ...ann, extra_data: pairs('a') }, 1));
  await harness.apply([ofJob(CLEARS, { ...ann, extra_data: null }, 5)]);
  await harness.post(accepted({ ...ann, extra_data: pairs('b') }, 100_000));
  return { table, harness };
};

const extraOf = (table: LimitedTable, prefix: string): number => {
  const [state] = storedStates(table).values();
  return [...(state?.values() ?? [])].filter(({ area, name }) => area === 'extra' && name.startsWith(prefix))
    .length;
};

describe('an undo whose values do not all fit a profile', () => {
  it('gives back what fits, counts the person, and lets other undos begin', async () => {
    const { table, harness } = await crowded();
    await harness.apply([ofJob(LATER, { email: 'ben@example.org' }, 10)]);
    expect(await harness.undo(CLEARS)).toBe(true);
    expect(await harness.countsOf(CLEARS)).toMatchObject({ people: { changed: 1, not_restored: 1 } });
    expect(extraOf(table, 'b')).toBe(150);
    expect(extraOf(table, 'a')).toBeGreaterThan(20);
    expect(extraOf(table, 'a')).toBeLessThan(150);
    expect(await harness.undo(LATER)).toBe(true);
  });

  it('holds up neither its other people nor the file of the next night', { timeout: 60_000 }, async () => {
    const { harness } = await crowded();
    const people = limits.imports.rowsPerSlice * (limits.imports.slicesAtOnce + 2);
    const row = (person: number) => ({ email: `p${person}@example.org`, city: 'Ulm' });
    for (let at = 0; at < people; at += 500)
      await harness.apply(Array.from({ length: 500 }, (_, n) => ofJob(CLEARS, row(at + n), 10 + at + n)));
    expect(await harness.undo(CLEARS)).toBe(true);
    const [outcome] = await harness.apply([ofJob(TONIGHT, row(people - 1), 200_000)]);
    expect(outcome?.kind).toBe('created');
  });
});

describe('a merge of restated values that do not fit a profile', () => {
  it('leaves the profile as it is', async () => {
    const { table, harness } = await withJobs(new LimitedTable(), [CLEARS, LATER, TONIGHT]);
    await harness.apply([ofJob(CLEARS, { ...ann, extra_data: pairs('a') }, 1)]);
    await harness.apply([ofJob(LATER, { ...ann, extra_data: pairs('a') }, 9)]);
    const [outcome] = await harness.apply([ofJob(TONIGHT, { ...ann, extra_data: null }, 5)]);
    const [cleared] = await harness.apply([ofJob(TONIGHT, { ...ann, extra_data: pairs('b') }, 6)]);
    expect([outcome?.kind, cleared?.kind]).toEqual(['updated', 'refused']);
    expect(extraOf(table, 'a')).toBe(150);
  });
});

describe('the ranges of an undo', () => {
  const register = (n: number): LwwRegister => ({
    ...{ area: 'extra', tier: 1, name: `key-${n}`, value: 'x', origin: 'api' },
    stamp: stampOf(1),
  });
  const entry = (ordinal: number, late: number): UndoEntry => ({
    ...{ ordinal, brought: [], beneath: [] },
    late:
      late === 0 ? [] : [{ identities: [], registers: Array.from({ length: late }, (_, n) => register(n)) }],
  });
  /** The people of each range of a log of three objects whose ranges overlap. */
  const rangesOf = async (
    late: number,
    options: { readonly most: number; readonly mostRegisters: number },
  ) => {
    const work = new MemoryObjects();
    const log = undoLog({ work, undoneAmong: () => Promise.resolve(new Set()) });
    const objects = { a: [0, 3, 6, 9], b: [1, 4, 7, 9], c: [2, 5, 8, 9] };
    for (const [name, ordinals] of Object.entries(objects))
      await log.add(scope.id, name, new Map([[CLEARS, ordinals.map((ordinal) => entry(ordinal, late))]]));
    const listed = (await work.list(undoJobFolder(scope.id, CLEARS))).toSorted();
    const ranges: number[][] = [];
    for (let from: number | null = 0; from !== null;) {
      const range = await readUndoRange(work, listed, { from, ...options });
      if (!range.ok) throw new Error(`the log lacks ${range.error.join()}`);
      const { people, next } = range.value;
      ranges.push(people.map(({ ordinal }) => ordinal));
      from = next;
    }
    return ranges;
  };

  it.each([1, 2, 3, 4, 9, 10, 11])('have every person of the log once, %i at most', async (most) => {
    const ranges = await rangesOf(0, { most, mostRegisters: 1_000 });
    expect(ranges.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Math.max(...ranges.map(({ length }) => length))).toBe(Math.min(most, 10));
  });

  it('end where their registers are too many, but for a single person', async () => {
    expect(await rangesOf(10, { most: 100, mostRegisters: 25 })).toEqual([
      ...[[0, 1], [2, 3], [4, 5], [6, 7], [8]],
      [9],
    ]);
    expect(await rangesOf(10, { most: 100, mostRegisters: 1_000 })).toHaveLength(1);
    expect(await rangesOf(10, { most: 100, mostRegisters: 1 })).toHaveLength(10);
  });
});
