import { describe, expect, it } from 'vitest';
import type { RecordOutcome } from '../../shared/profiles/types.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { expectConsistent, expectStored } from './consistency.ts';
import { seeded, TurnTable, type Choose } from './interleave.ts';
import { accepted, harnessOn } from '../profiles/harness.ts';
import { casesOf } from '../support/scale.ts';

type Sent = Readonly<Record<string, string>>;

/** The records of one scene; each has a mark of its own that reveals a lost record. */
const marked = (sent: readonly Sent[]): readonly AcceptedRecord[] =>
  sent.map((record, order) => accepted({ ...record, extra_data: { [`mark-${order}`]: order } }, order));

/** Runs one writer per record in a schedule of this seed, and checks the result. */
const race = async (records: readonly AcceptedRecord[], choose: Choose) => {
  const table = new TurnTable();
  const { apply } = harnessOn(table);
  const ends = await table.interleave(
    records.map((record) => () => apply([record])),
    choose,
  );
  const outcomes = ends.map((end): RecordOutcome => {
    if (end.status === 'rejected') throw end.reason;
    const [outcome] = end.value;
    if (!outcome) throw new Error('no outcome');
    return outcome;
  });
  expectConsistent(table);
  records.forEach((record, at) => {
    const outcome = outcomes[at];
    if (outcome) expectStored(table, record, outcome);
  });
  return outcomes;
};

const u = (unique_id: string) => ({ unique_id });
const e = (name: string) => ({ email: `${name}@b.co` });
const s = (social_id: string) => ({ social_id });

/** Number of schedules of the random scenes; `SCHEDULES=…` raises it. */
const SCHEDULES = casesOf('SCHEDULES', { full: 400, sample: 80 });

/** A record with some of the identities of a small scene. */
const drawn = (choose: Choose, people: number): Sent => ({
  ...(choose(2) === 0 ? u(String(choose(people))) : {}),
  ...(choose(2) === 0 ? e(String(choose(people))) : {}),
  ...s(String(choose(people))),
});

describe('writers that race for identities', () => {
  it.each([
    [
      'one person three times',
      [
        { ...u('1'), ...e('a') },
        { ...u('1'), ...e('a') },
        { ...u('1'), ...e('a') },
      ],
    ],
    ['a bridge between two', [u('1'), e('a'), { ...u('1'), ...e('a') }]],
    [
      'weaker bridges',
      [
        { ...e('a'), ...s('x') },
        { ...u('1'), ...s('x') },
        { ...u('1'), ...e('a') },
      ],
    ],
    [
      'a shared e-mail',
      [
        { ...u('1'), ...e('a') },
        { ...u('2'), ...e('a') },
        { ...e('a'), ...s('x') },
      ],
    ],
    [
      'a ring',
      [
        { ...u('1'), ...e('a') },
        { ...e('a'), ...s('x') },
        { ...s('x'), ...u('1') },
      ],
    ],
    [
      'crossed pairs',
      [
        { ...u('1'), ...e('a'), ...s('x') },
        { ...u('2'), ...e('b'), ...s('x') },
        { ...e('a'), ...e('b') },
      ],
    ],
  ] satisfies [string, Sent[]][])('end with every claim on its profile (%s)', async (_, sent) => {
    for (let seed = 0; seed < 150; seed += 1) await race(marked(sent), seeded(seed));
  });

  it('end with every claim on its profile in random scenes', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const choose = seeded(seed);
      await race(marked(Array.from({ length: 2 + choose(3) }, () => drawn(choose, 2))), choose);
    }
  });

  it('end with every claim on its profile when their batches have the same people in another order', async () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const table = new TurnTable();
      const { apply } = harnessOn(table);
      const records = marked([
        { ...u('1'), ...e('a') },
        { ...e('a'), ...s('x') },
        { ...u('2'), ...s('y') },
        { ...u('3'), ...e('a'), ...s('y') },
        s('y'),
      ]);
      const choose = seeded(seed);
      const ends = await table.interleave(
        [() => apply(records), () => apply(records.toReversed()), () => apply(records.slice(2))],
        choose,
      );
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
      expectConsistent(table);
    }
  });

  it('end with every claim on its profile once the records of killed writers are redelivered', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const choose = seeded(seed);
      const table = new TurnTable();
      const { apply } = harnessOn(table);
      const records = marked(Array.from({ length: 6 }, () => drawn(choose, 2)));
      const batches = [records.slice(0, 2), records.slice(2, 4), records.slice(4), records.slice(1, 5)];
      // Two rounds of kills leave provisional owners for other writers to find; then all writers run together once more.
      for (const deadly of [6, 12])
        await table.interleave(
          batches.map((batch) => () => apply(batch)),
          choose,
          deadly,
        );
      const ends = await table.interleave(
        batches.map((batch) => () => apply(batch)),
        choose,
      );
      expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
      expectConsistent(table);
    }
  });

  it('create one profile with the values of each of a hundred writers', async () => {
    const sent = Array.from({ length: 100 }, () => ({ ...u('1'), ...e('a') }));
    const table = new TurnTable();
    const { apply, profiles, deps } = harnessOn(table);
    const choose = seeded(1);
    // A loser waits for a while, as in production; the test measures the wait in turns of other writers.
    Object.assign(deps, {
      pause: async (attempt: number) => {
        for (let turn = choose(2 ** Math.min(attempt, 8)); turn > 0; turn -= 1)
          await new Promise((resolve) => setImmediate(resolve));
      },
    });
    const ends = await table.interleave(
      marked(sent).map((record) => () => apply([record])),
      choose,
    );
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
    expectConsistent(table);
    const stored = await profiles.readMany(
      7,
      Array.from({ length: 2_000 }, (_, ordinal) => ordinal),
    );
    expect(stored.size).toBe(1);
    expect(Object.keys([...stored.values()][0]?.extra ?? {})).toHaveLength(100);
  });
});
