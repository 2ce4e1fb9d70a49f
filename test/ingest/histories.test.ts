import { describe, expect, it } from 'vitest';
import { differenceOf, plainly } from './history-check.ts';
import { acceptedOf, disturbed, storedAfter } from './histories.ts';
import { historyOf, identitiesAlone, withoutTier, type Counts, type HistoryRecord } from './history.ts';
import { seeded } from './interleave.ts';
import { straight, turned, type StampMap } from '../profiles/stamps.ts';
import { casesOf } from '../support/scale.ts';

/** The output of a failure replays it: `HISTORIES_SEED=… HISTORIES=…`. */
const SEED = Number(process.env['HISTORIES_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const HISTORIES = casesOf('HISTORIES', { full: 50_000, sample: 1_000 });

/** People whose records share batches and a table. */
const PEOPLE = 125;

/** Events that must occur often; otherwise the test proves less than it claims. */
const occurring = [
  ...['tier 1', 'tier 2', 'tier 3', 'tier 4', 'tier 5', 'tier 6', 'tier 7', 'skipped', 'equal stamps'],
  ...[
    'values',
    'null values',
    'extra keys',
    'extra keys null',
    'extra_data null',
    'set elements',
    'sets null',
  ],
  ...['bridges', 'duplicates', 'splits', 'shuffles'],
];

/** The histories of one group of people, with the generator of the actions on them. */
const groupOf = (seed: number, counts: Counts = {}) => {
  const choose = seeded(seed);
  const histories = Array.from({ length: PEOPLE }, (_, person) => historyOf(person, choose, counts));
  return { choose, histories };
};

/** Applies a group's histories in order and disturbed; returns the deviations of each person. */
const faultsOf = async (seed: number, stamps: StampMap, counts: Counts): Promise<readonly string[]> => {
  const { choose, histories } = groupOf(seed, counts);
  const people = acceptedOf(histories, stamps);
  const inOrder = await storedAfter([people.flat()], PEOPLE);
  const again = await storedAfter(disturbed(people, choose, counts), PEOPLE);
  return histories.flatMap((records, person) => {
    const [one, other] = [inOrder[person], again[person]];
    if (!one || !other) return ['not stored'];
    const fault =
      one.text === other.text
        ? differenceOf(records, one, stamps)
        : `in order:\n${one.text}\ndisturbed:\n${other.text}`;
    return fault === undefined ? [] : [`${fault}\nrecords: ${JSON.stringify(records)}`];
  });
};

const printed = (counts: Counts): string =>
  Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, times]) => `${what.padEnd(16)}${times.toLocaleString('en').padStart(12)}\n`)
    .join('');

describe('the histories of one person', () => {
  it('end in the same stored profile in any order of delivery, and agree with the plain models', async () => {
    const counts: Counts = {};
    const started = performance.now();
    for (let group = 0; group * PEOPLE < HISTORIES; group += 1) {
      const [fault] = await faultsOf(SEED + group, straight, counts);
      if (fault !== undefined)
        throw new Error(`HISTORIES_SEED=${SEED + group} HISTORIES=${PEOPLE} replays this:\n${fault}`);
    }
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stdout.write(`${HISTORIES} histories, seed ${SEED}, ${seconds} s\n${printed(counts)}`);
    for (const what of occurring)
      expect(counts[what] ?? 0, `${what} are common`).toBeGreaterThan(HISTORIES / 10);
  }, 600_000);

  it('would end in other profiles if the comparison of stamps were reversed', async () => {
    const faults: string[] = [];
    for (let group = 0; group < 4; group += 1) faults.push(...(await faultsOf(SEED + group, turned, {})));
    process.stdout.write(`stamps reversed: ${faults.length} of ${4 * PEOPLE} histories are wrong\n`);
    expect(faults.length).toBeGreaterThan(2 * PEOPLE);
  });
});

/** The resolved values of people after these records. */
const surfacedAfter = async (histories: readonly (readonly HistoryRecord[])[]) =>
  (await storedAfter([acceptedOf(histories, straight).flat()], PEOPLE)).map(({ surfaced }) => surfaced);

const GROUPS = casesOf('HISTORY_GROUPS', { full: 40, sample: 2 });

describe('the values of a tier', () => {
  it('never lose to a lower tier when they are stated', async () => {
    let rivalled = 0;
    for (let group = 0; group < GROUPS; group += 1) {
      const { histories } = groupOf(SEED + group);
      const whole = await surfacedAfter(histories);
      const stated = await surfacedAfter(
        histories.map((records) => records.map((one) => (one.tier === 1 ? one : identitiesAlone(one)))),
      );
      stated.forEach((alone, person) => {
        const all = whole[person];
        if (!all) throw new Error('not stored');
        const known = Object.entries({ ...alone.fields, age: alone.age, country: alone.country });
        const fields = Object.fromEntries(known.filter(([, value]) => value !== null));
        expect({ ...all.fields, age: all.age, country: all.country }).toMatchObject(fields);
        expect(all.extra).toMatchObject(alone.extra);
        expect(all.tags).toEqual(expect.arrayContaining([...alone.tags]));
        expect(all.likes).toEqual(expect.arrayContaining([...alone.likes]));
        expect(all.sources).toEqual(expect.arrayContaining([...alone.sources]));
        if (plainly(all) !== plainly(alone)) rivalled += 1;
      });
    }
    expect(rivalled).toBeGreaterThan((GROUPS * PEOPLE) / 2);
  });

  it('are the only values that a null of the tier removes', async () => {
    const erased = {
      ...{ first_name: null, city: null, country: null, has_children: null, age: null },
      ...{ tags: null, social_likes: null, source: null, extra_data: null },
    };
    let [removed, left] = [0, 0];
    for (let group = 0; group < GROUPS; group += 1) {
      const { choose, histories } = groupOf(SEED + group);
      const tier = 1 + choose(7);
      const lastOf = (records: readonly HistoryRecord[]) => {
        const last = identitiesAlone(records.at(-1));
        return { ...last, tier, time: last.time + 1, skip: false };
      };
      const before = await surfacedAfter(histories.map((records) => [...records, lastOf(records)]));
      const after = await surfacedAfter(
        histories.map((records) => {
          const last = lastOf(records);
          return [...records, { ...last, sent: { ...last.sent, ...erased } }];
        }),
      );
      const without = await surfacedAfter(
        histories.map((records) => [
          ...records.map((one) => (one.tier === tier ? withoutTier(one) : one)),
          lastOf(records),
        ]),
      );
      expect(after.map(plainly)).toEqual(without.map(plainly));
      removed += after.filter((one, person) => plainly(one) !== plainly(before[person] ?? one)).length;
      left += after.filter(
        ({ tags, likes, sources }) => tags.length + likes.length + sources.length > 0,
      ).length;
    }
    expect(removed).toBeGreaterThan((GROUPS * PEOPLE) / 10);
    expect(left).toBeGreaterThan((GROUPS * PEOPLE) / 2);
  });
});
