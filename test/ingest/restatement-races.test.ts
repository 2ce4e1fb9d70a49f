/** Restatements beside older rows and requests: the real code in random schedules, with deaths, against the plain merge. */
import { describe, expect, it } from 'vitest';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { accepted } from '../profiles/harness.ts';
import { casesOf } from '../support/scale.ts';
import { pick, seeded, type Choose } from './interleave.ts';
import { comparable, jobs, mergeOf, ofJob, said, scheduledHarness, storedStates } from './undo-harness.ts';

const [FIRST, SECOND, OTHER] = jobs;
const ann = {
  email: 'ann@example.org',
  city: 'Bonn',
  tags: [{ datetime: '2025-01-01 00:00:00', tag: ['vip'] }],
};

/** Who is known, and what comes at the same time. */
interface Scene {
  readonly known: readonly AcceptedRecord[];
  readonly batches: readonly (readonly AcceptedRecord[])[];
  readonly requests: readonly AcceptedRecord[];
}

const changes = [{ city: 'Köln' }, { tags: null }, { city: null }, {}];

/** A repeated row of each of two people, and older rows. */
const olderRows = (choose: Choose): Scene => {
  const people = ['ann', 'ben'].map((name) => ({ ...ann, email: `${name}@example.org` }));
  const order = (): number => 2 + choose(12);
  const changed = () => ({ ...pick(people, choose), ...pick(changes, choose) });
  return {
    known: people.map((one) => ofJob(FIRST, one, 1)),
    batches: [
      people.map((one) => ofJob(SECOND, one, order())),
      [ofJob(OTHER, changed(), order()), ofJob(OTHER, changed(), order())],
      [ofJob(pick([FIRST, SECOND, OTHER], choose), changed(), order())],
    ],
    requests: [],
  };
};

/** A repeated row, an older row and a request. */
const aRequest = (choose: Choose): Scene => {
  const order = (): number => 2 + choose(9);
  const sent = pick(changes, choose);
  return {
    known: [ofJob(FIRST, ann, 1)],
    batches: [[ofJob(SECOND, ann, order())], [ofJob(OTHER, { ...ann, city: 'Ulm' }, order())]],
    requests: [accepted({ ...ann, ...sent }, order())],
  };
};

/** Only what did not end is delivered or sent again. */
const race = async ({ known, batches, requests }: Scene, choose: Choose, deadly: number) => {
  const { applied, store, post, ...rest } = await scheduledHarness([FIRST, SECOND, OTHER]);
  await store(...known);
  const actors = [
    ...batches.map((batch) => ({ batch, run: () => store(...batch) })),
    ...requests.map((request) => ({ batch: [request], run: () => post(request) })),
  ];
  await rest.table.interleave(
    actors.map(({ run }) => run),
    choose,
    deadly,
  );
  for (const { batch, run } of actors) if (batch.some((record) => !applied.has(record))) await run();
  return { ...rest, store };
};

const SCHEDULES = casesOf('SCHEDULES', { full: 2_000, sample: 100 });

/** In this schedule, a newer record restates an older one while the older one is being merged with missed records. */
const RESTATED_DURING_MERGE = 1_851;

describe.each([
  ['older rows', olderRows, SCHEDULES, 4],
  ['a request and an older row', aRequest, 2 * SCHEDULES, 8],
])('a repeated row beside %s', (_, sceneOf, schedules, rare) => {
  it.each([
    ['in any schedule', Number.POSITIVE_INFINITY],
    ['in any schedule with deaths', 25],
  ])('leaves the merge of all records, %s', async (__, deadly) => {
    let restated = 0;
    for (const seed of [...Array(schedules).keys(), RESTATED_DURING_MERGE]) {
      const choose = seeded(seed);
      const { table, harness, all, store } = await race(sceneOf(choose), choose, deadly);
      const merged = mergeOf(all(), new Set());
      expect(said(storedStates(table)), `seed ${seed}`).toEqual(said(merged));
      expect(comparable(await harness.wholeStates(table)), `seed ${seed}`).toEqual(comparable(merged));
      restated += Number(table.items('restatement').length > 0);
      // A late record that says nothing new brings up whatever was missed.
      await store(ofJob(OTHER, { email: ann.email }, 1));
      expect(said(storedStates(table)), `seed ${seed}`).toEqual(said(merged));
    }
    expect(restated, 'restatements are common').toBeGreaterThan(schedules / rare);
  });
});
