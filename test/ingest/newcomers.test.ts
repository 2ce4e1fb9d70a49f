import { expect, it } from 'vitest';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { newcomers } from '../../shared/ingest/newcomers.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { importOrigin } from '../../shared/profiles/profile-state.ts';
import { keys } from '../../shared/table/keys.ts';
import { accepted, harnessOn, scope } from '../profiles/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';

const CLAIM = keys.claim(scope.id, 'email', '').pk.split('#').slice(0, 3).join('#');

/** A writer of import jobs that counts the claims it reads. */
const setUp = () => {
  const table = new MemoryTable();
  let reads = 0;
  const counted = viewOf(table, {
    getMany: (wanted) => {
      reads += wanted.filter(({ pk }) => pk.startsWith(CLAIM)).length;
      return table.getMany(wanted);
    },
  });
  const none = (): Promise<ReadonlySet<number>> => Promise.resolve(new Set<number>());
  const undoLog = { add: none, undoneAmong: none };
  const deps = { ...harnessOn(table, { newcomers: newcomers() }).deps, undoLog, table: counted };
  let attempts = 0;
  /** Stores people of a job; returns the numbers of claims read, of people created, and of people updated. */
  const store = async (numbers: readonly number[], { job = 1, repeated = false } = {}) => {
    reads = 0;
    attempts += 1;
    const records = numbers.map((n) => recordOf(n, job, attempts));
    const options = { attemptId: `attempt-${attempts}`, index: 'later', repeated } as const;
    const outcomes = await applyRecords(deps, scope, records, options);
    const countOf = (kind: string): number => outcomes.filter((outcome) => outcome.kind === kind).length;
    return { reads, created: countOf('created'), updated: countOf('updated') };
  };
  return { table, store };
};

const recordOf = (n: number, job: number, order: number): AcceptedRecord =>
  accepted({ unique_id: `u${n}`, email: `p${n}@example.org`, extra_data: { order } }, order, {
    origin: importOrigin(1, job),
  });

const people = (from: number, count = 100): readonly number[] =>
  Array.from({ length: count }, (_, n) => from + n);

it('a writer reads no claims once a slice of the job was about new people', async () => {
  const { store } = setUp();
  expect(await store(people(0))).toEqual({ reads: 200, created: 100, updated: 0 });
  expect(await store(people(100))).toEqual({ reads: 0, created: 100, updated: 0 });
  expect(await store(people(200))).toEqual({ reads: 0, created: 100, updated: 0 });
});

it('known people among them are found, and then the claims are read again', async () => {
  const { store, table } = setUp();
  await store(people(0));
  expect(await store([...people(0, 3), ...people(100, 97)])).toEqual({ reads: 6, created: 97, updated: 3 });
  expect(await store(people(200))).toEqual({ reads: 200, created: 100, updated: 0 });
  const profiles = table.items().filter((item) => 'state' in item);
  expect(profiles).toHaveLength(297);
});

it('one known person in a hundred changes nothing', async () => {
  const { store } = setUp();
  await store(people(0));
  expect(await store(people(99))).toEqual({ reads: 2, created: 99, updated: 1 });
  expect(await store(people(199))).toMatchObject({ reads: 0, created: 100 });
});

it('a writer reads the claims of a slice that comes again, of another job, and behind a small slice', async () => {
  const { store } = setUp();
  await store(people(0));
  expect(await store(people(100), { repeated: true })).toMatchObject({ reads: 200 });
  expect(await store(people(200), { job: 2 })).toMatchObject({ reads: 200 });
  await store(people(300, 10));
  expect(await store(people(310))).toMatchObject({ reads: 200 });
});
