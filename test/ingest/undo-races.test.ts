/** Undos beside writers: the real code in random schedules, with deaths, against the plain merge of all records. */
import { describe, expect, it } from 'vitest';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { jobOfOrigin } from '../../shared/profiles/profile-state.ts';
import { accepted } from '../profiles/harness.ts';
import { expectConsistent } from './consistency.ts';
import { pick, seeded, type Choose, type TurnTable } from './interleave.ts';
import { comparable, jobs, mergeOf, ofJob, said, scheduledHarness, storedStates } from './undo-harness.ts';
import { casesOf } from '../support/scale.ts';

const JOBS = jobs.slice(0, 3);

/** Number of schedules; `SCHEDULES=…` raises it. */
const SCHEDULES = casesOf('SCHEDULES', { full: 300, sample: 60 });

/** A record with an identity or two of a small scene, and some values that clash with those of other records. */
const drawn = (choose: Choose): Readonly<Record<string, unknown>> => ({
  ...(choose(3) === 0 ? { unique_id: `u${choose(2)}` } : {}),
  email: `p${choose(2)}@example.org`,
  ...(choose(2) === 0 ? { city: pick(['Bonn', 'Köln', null], choose) } : {}),
  ...(choose(3) === 0 ? { source: pick(['web', 'shop', null], choose) } : {}),
  ...(choose(3) === 0
    ? { tags: pick([[{ datetime: '2025-01-01 00:00:00', tag: ['vip'] }], null], choose) }
    : {}),
});

const restatementsIn = (table: TurnTable): number => table.items('restatement').length;

const play = async (choose: Choose, deadly: number) => {
  const { table, harness, all, store, post } = await scheduledHarness(JOBS);
  // Times of acceptance in random order: batches overtake each other.
  const orders = Array.from({ length: 12 }, (_, order) => order).sort(() => choose(3) - 1);
  const batchOf = (job: number): readonly AcceptedRecord[] =>
    Array.from({ length: 1 + choose(2) }, () => ofJob(job, drawn(choose), orders.pop() ?? 0));
  const before = [batchOf(pick(JOBS, choose)), batchOf(pick(JOBS, choose))];
  const undone = [pick(JOBS, choose), ...(choose(3) === 0 ? [pick(JOBS, choose)] : [])];
  // A batch of a job that is undone is delivered again at the same time, and so are batches of other jobs.
  const beside = [pick(before, choose), batchOf(pick(JOBS, choose)), batchOf(pick(JOBS, choose))];
  for (const batch of before) await store(...batch);
  const posted = accepted(drawn(choose), 20);
  await table.interleave<unknown>(
    [
      ...beside.map((batch) => () => store(...batch)),
      ...undone.map((job) => () => harness.undo(job)),
      // Nobody knows what a request stored that died.
      ...(Number.isFinite(deadly) ? [] : [() => post(posted)]),
    ],
    choose,
    deadly,
  );
  // Whatever died or gave up is delivered again.
  for (const job of [...undone, ...undone]) await harness.undo(job);
  for (const batch of [...before, ...beside]) await store(...batch);
  const late = beside.flat().filter(({ origin = '' }) => undone.includes(jobOfOrigin(origin) ?? NaN));
  return { table, harness, all: all(), late, undone: new Set(undone) };
};

describe('undos beside writers of other jobs and of requests', () => {
  const schedules = Array.from({ length: SCHEDULES }, (_, seed) => seed);

  it.each([
    ['in any schedule', Number.POSITIVE_INFINITY],
    ['in any schedule with deaths', 25],
  ])('leave the merge of everything but the undone jobs, %s', async (_, deadly) => {
    let restated = 0;
    for (const seed of schedules) {
      const { table, harness, all, late, undone } = await play(seeded(seed), deadly);
      const why = `seed ${seed}`;
      expectConsistent(table, late);
      const merged = mergeOf(all, undone);
      expect(said(storedStates(table)), why).toEqual(said(merged));
      expect(comparable(await harness.wholeStates(table)), why).toEqual(comparable(merged));
      restated += restatementsIn(table);
    }
    expect(restated, 'restatements are common').toBeGreaterThan(SCHEDULES / 10);
  });
});
