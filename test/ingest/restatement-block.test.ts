/** The stored form of restatements, and when it is the cheaper way. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { blocksOf, cheapestWrites, recordsIn, type Restatement } from '../../shared/ingest/restatements.ts';
import { importOrigin, stateOf, type LwwRegister } from '../../shared/profiles/profile-state.ts';
import { tiers } from '../../shared/profiles/types.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';
import { seeded } from './interleave.ts';

const value = (name: string, text: string, job: number, ms: number): LwwRegister => ({
  ...{ area: 'value', tier: tiers.stated, name, value: text },
  ...{ stamp: stampOf(ms), origin: importOrigin(7, job) },
});

interface Said {
  readonly job?: number;
  readonly ms?: number;
  readonly text?: string;
  readonly earlier?: number;
  readonly bytes?: number;
}

/** A person of whom a job repeats the city that an earlier job said. */
const restated = (
  ordinal: number,
  { job = 2, ms = 9, text = 'Bonn', earlier = 1, bytes = 1 }: Said = {},
): Restatement => ({
  ...{ ordinal, bytes, stored: stateOf([value('city', text, earlier, 1)]) },
  records: [stateOf([value('city', text, job, ms)])],
});

/** Who is in each block of restatements. */
const shapeOf = (people: readonly Restatement[]) =>
  blocksOf(people).map(({ block, job, newest, earlier, records }) => ({
    ...{ block, job, newest, earlier: [...earlier] },
    people: [...recordsIn(records)].map(({ ordinal }) => ordinal),
  }));

describe('a block of restatements', () => {
  it('has the neighbours of one job, with the newest time and all earlier jobs', () => {
    const people = [
      restated(1, { ms: 5 }),
      restated(0, { ms: 9, earlier: 4 }),
      restated(PROFILES_PER_BLOCK, { ms: 7 }),
      restated(2, { job: 3, ms: 6 }),
      restated(3, { ms: 2 }),
    ];
    expect(shapeOf(people)).toEqual([
      { block: 0, job: 2, newest: stampOf(9), earlier: [1, 4], people: [1, 0, 3] },
      { block: 1, job: 2, newest: stampOf(7), earlier: [1], people: [PROFILES_PER_BLOCK] },
      { block: 0, job: 3, newest: stampOf(6), earlier: [1], people: [2] },
    ]);
  });

  it('has what the record repeats, and nothing else of it', () => {
    const person = restated(5);
    const [record] = person.records;
    const more = stateOf([...(record?.values() ?? []), value('first_name', 'Ann', 2, 9)]);
    const [block] = blocksOf([{ ...person, records: [more] }]);
    const [only, ...others] = [...recordsIn(block?.records ?? gzipSync(''))];
    expect(others).toEqual([]);
    expect([...(only?.record.values() ?? [])]).toEqual([...(record?.values() ?? [])]);
  });

  it('is empty where a record repeats nothing', () => {
    const other = stateOf([value('city', 'Ulm', 2, 9)]);
    expect(blocksOf([{ ...restated(5), records: [other] }])).toEqual([]);
  });

  it('goes on in another item before its text is too long for one', () => {
    const text = 'x'.repeat(99_000);
    const people = [0, 1, 2, 3, 4, 5, 6].map((ordinal) => restated(ordinal, { text }));
    expect(shapeOf(people).map((block) => block.people)).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
    // Another block has room of its own.
    const far = PROFILES_PER_BLOCK;
    const mixed = [0, far, 1, far + 1, 2, far + 2].map((ordinal) => restated(ordinal, { text }));
    expect(shapeOf(mixed).map((block) => block.people)).toEqual([
      [0, 1, 2],
      [far, far + 1, far + 2],
    ]);
  });
});

describe('the cheaper way', () => {
  const units = (people: readonly Restatement[]): number => cheapestWrites(people).blocks.length;

  it('is the block where many neighbours come, and the profiles where a few come', () => {
    const neighbours = Array.from({ length: 40 }, (_, ordinal) => restated(ordinal));
    const chosen = cheapestWrites(neighbours);
    expect(chosen.written.size).toBe(0);
    expect(chosen.blocks).toEqual(blocksOf(neighbours));
    const alone = restated(9);
    expect(cheapestWrites([alone])).toEqual({ blocks: [], written: new Set([alone]) });
  });

  it('is chosen for each block', () => {
    const [near, far] = [[restated(0), restated(1)], restated(PROFILES_PER_BLOCK)];
    const chosen = cheapestWrites([...near, far]);
    expect(chosen.blocks.map(({ block }) => block)).toEqual([0]);
    expect([...chosen.written]).toEqual([far]);
  });

  it('counts the units of whole kilobytes', () => {
    // A block of one small record takes one unit.
    expect(units([restated(0, { bytes: 1_024 })])).toBe(0);
    expect(units([restated(0, { bytes: 1_025 })])).toBe(1);
  });

  it('counts what an item has beside its records', () => {
    // Random digits cannot be compressed to less than some three bits each.
    const choose = seeded(1);
    const text = Array.from({ length: 2_600 }, () => choose(10)).join('');
    const people = (length: number) => [restated(0, { text: text.slice(0, length), bytes: 1_025 })];
    const bytesOf = (length: number): number => blocksOf(people(length))[0]?.records.length ?? 0;
    const lengths = Array.from({ length: 2_600 }, (_, n) => n);
    const most = lengths.findLast((length) => bytesOf(length) <= 1_024 - 150) ?? 0;
    const beyond = lengths.find((length) => length > most && bytesOf(length) > 1_024 - 150);
    expect(units(people(most))).toBe(1);
    expect(beyond).toBeDefined();
    expect(units(people(beyond ?? 0))).toBe(0);
  });
});
