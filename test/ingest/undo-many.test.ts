/** The undo of a large job beside writers of other jobs and of requests. `ROWS=100000` plays it in the size of a file. */
import { expect, it } from 'vitest';
import { batchesOf, mapLimited } from '../../shared/runtime/pool.ts';
import { accepted } from '../profiles/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { seeded } from './interleave.ts';
import { comparable, mergeOf, ofJob, storedStates, withJobs, jobs } from './undo-harness.ts';
import { casesOf } from '../support/scale.ts';

const ROWS = casesOf('ROWS', { full: 3_000, sample: 1_000 });
const [BEFORE, JOB, BESIDE] = jobs;

const timeout = Math.max(60_000, ROWS * 6);

it('leaves the merge of everything but the job', { timeout }, async () => {
  const { table, harness, all, store, post } = await withJobs(new MemoryTable(), [BEFORE, JOB, BESIDE]);
  const choose = seeded(7);
  const row = (job: number, person: number, order: number) =>
    ofJob(
      job,
      { email: `p${person}@example.org`, city: `C${choose(20)}`, first_name: `N${choose(50)}` },
      order,
    );
  const rowsOf = (job: number, rows: number, most: number, order: () => number) =>
    Array.from({ length: rows }, (_, index) => row(job, choose(2) === 0 ? index : choose(most), order()));
  const orders = { next: 0 };
  const inOrder = () => (orders.next += 1);
  const people = Math.ceil(ROWS * 0.8);
  for (const batch of batchesOf(rowsOf(BEFORE, ROWS / 2, people, inOrder), 500)) await store(...batch);
  await mapLimited([...batchesOf(rowsOf(JOB, ROWS, people, inOrder), 500)], 4, (batch) => store(...batch));
  // Some of these rows are older than those of the job, some newer.
  const beside = rowsOf(BESIDE, ROWS / 10, people, () => choose(4 * ROWS));
  await Promise.all([
    harness.undo(JOB),
    ...[...batchesOf(beside, 100)].map(async (batch) => {
      // A batch gives up while the undo has not been at its people; the queue delivers it again.
      for (;;) {
        const stored = await store(...batch).then(
          () => true,
          () => false,
        );
        if (stored) return;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }),
    ...Array.from({ length: 20 }, () =>
      post(accepted({ email: `p${choose(people)}@example.org`, city: 'Post' }, 5 * ROWS)),
    ),
  ]);
  expect(comparable(storedStates(table))).toEqual(comparable(mergeOf(all(), new Set([JOB]))));
});
