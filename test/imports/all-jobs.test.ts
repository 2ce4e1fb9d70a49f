/** The list of the jobs of all definitions: what it shows, its pages, and what a page costs. */
import * as fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { replaceImport } from '../../shared/imports/definitions/change-imports.ts';
import { definitionItem } from '../../shared/imports/items/import-definition.ts';
import { readProgress } from '../../shared/imports/jobs/read-progress.ts';
import { importBody } from '../../shared/imports/schemas/definition-schemas.ts';
import { importRepository } from '../../shared/imports/repository/repository.ts';
import { keys } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { importHarness, request, simpleDefinition, type ImportHarness } from './import-harness.ts';

const file = 'email,first_name\na@x.org,A\n';
const rename = (harness: ImportHarness, id: number, name: string) =>
  replaceImport(
    harness.deps,
    request({ import_id: id }, {}, v.parse(importBody, { ...simpleDefinition, name })),
  );

/** The ids of all pages of the list, and the number of jobs of each page. */
const walk = async (harness: ImportHarness, query: object) => {
  const ids: number[] = [];
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const { jobs, paging } = await harness.listAllJobs({ ...query, ...(cursor ? { cursor } : {}) });
    ids.push(...jobs.map(({ id }) => id));
    pages.push(jobs.length);
    cursor = new URL(paging.next_page ?? 'https://x').searchParams.get('cursor') ?? undefined;
  } while (cursor !== undefined);
  return { ids, pages };
};

it('shows the jobs of all definitions, the newest first, as the list of each definition does', async () => {
  const harness = importHarness();
  const one = await harness.define({ ...simpleDefinition, name: 'Box office' });
  const other = await harness.define({ ...simpleDefinition, name: 'Newsletter' });
  const done = await harness.runFile(one.id, file);
  const { id: open } = await harness.openJob(other.id, { name: 'CRM' });
  await harness.store(open, [{ email: 'bad' }, { email: 'b@x.org' }]);
  const awaiting = await harness.openUpload(one.id, 100, { file_name: 'next.csv' });
  const tried = await harness.runFile(other.id, file, 'try.csv', { dry_run: true });
  const { jobs, paging } = await harness.listAllJobs();
  expect(paging).toEqual({ next_page: null });
  expect(jobs.map(({ id, name, status, dry_run }) => [id, name, status, dry_run])).toEqual([
    [tried.id, 'try.csv', 'complete', true],
    [awaiting.job, 'next.csv', 'unknown', false],
    [open, 'CRM', 'complete-with-errors', false],
    [done.id, 'visitors.csv', 'complete', false],
  ]);
  const shownApart = [
    ...(await harness.listJobs(one.id)).map((job) => ({
      ...job,
      ...{ import_definition: one.id, import_name: 'Box office' },
    })),
    ...(await harness.listJobs(other.id)).map((job) => ({
      ...job,
      ...{ import_definition: other.id, import_name: 'Newsletter' },
    })),
  ].toSorted((a, b) => b.id - a.id);
  expect(jobs).toMatchObject(shownApart);
  for (const { id, import_definition, counts } of jobs)
    expect(counts).toEqual((await harness.readJob(import_definition, id)).counts);
  expect((await harness.listAllJobs({ order: 'oldest' })).jobs).toEqual(jobs.toReversed());
});

it('names a definition as it is called now, and a deleted one as it was called for the job', async () => {
  const harness = importHarness();
  const { id: kept } = await harness.define({ ...simpleDefinition, name: 'Old' });
  const { id: gone } = await harness.define({ ...simpleDefinition, name: 'First' });
  await harness.runFile(kept, file);
  await harness.runFile(gone, file);
  await rename(harness, kept, 'New');
  await rename(harness, gone, 'Second');
  await harness.runFile(gone, file);
  const names = async () => (await harness.listAllJobs()).jobs.map(({ import_name }) => import_name);
  expect(await names()).toEqual(['Second', 'Second', 'New']);
  await harness.remove(gone);
  expect(await names()).toEqual(['Second', 'First', 'New']);
});

it('lists nothing of another property, and nothing before the first job', async () => {
  const table = new MemoryTable();
  const harness = importHarness(table);
  expect(await harness.listAllJobs()).toEqual({ jobs: [], paging: { next_page: null } });
  const { id } = await harness.define();
  const { id: own } = await harness.openJob(id);
  const imports = importRepository({ table, pause: () => Promise.resolve() });
  for (const property of [scope.id - 1, scope.id + 1])
    await addJob(imports, property, scopedId(property, 1), scopedId(property, 1));
  expect((await walk(harness, {})).ids).toEqual([own]);
});

const addJob = (
  imports: ReturnType<typeof importRepository>,
  property: number,
  importId: number,
  id: number,
  phase: 'open' | 'failed' = 'open',
) =>
  imports.addJob({
    ...{ id, property, import: importId, revision: 0, name: 'j', created: NOW, dryRun: false, phase },
    file: null,
  });

/** A property whose counter of jobs stands at `last`, with jobs under some numbers. */
const withJobs = async (
  last: number,
  jobs: readonly { readonly n: number; readonly failed: boolean }[],
  table = new MemoryTable(),
) => {
  const harness = importHarness(table);
  const { id: importId } = await harness.define();
  await table.increment(keys.counter(scope.id, 'import-job'), last);
  for (const { n, failed } of jobs)
    await addJob(harness.deps.imports, scope.id, importId, scopedId(scope.id, n), failed ? 'failed' : 'open');
  return harness;
};

it('the pages have each job once, whatever ids have none, whatever the limit, order and filter', async () => {
  const jobs = fc.uniqueArray(fc.record({ n: fc.integer({ min: 1, max: 400 }), failed: fc.boolean() }), {
    selector: ({ n }) => n,
    maxLength: 260,
    size: 'max',
  });
  const query = fc.record(
    {
      limit: fc.integer({ min: 1, max: 150 }).map(String),
      order: fc.constantFrom('oldest', 'newest'),
      status: fc.constantFrom('failed', 'unknown', 'complete'),
    },
    { requiredKeys: ['limit'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 400, max: 1_700 }), jobs, query, async (last, made, asked) => {
      const harness = await withJobs(last, made);
      const expected = made
        .filter(
          ({ failed }) => asked.status === undefined || (failed ? 'failed' : 'unknown') === asked.status,
        )
        .map(({ n }) => scopedId(scope.id, n))
        .toSorted((a, b) => (asked.order === 'oldest' ? a - b : b - a));
      expect((await walk(harness, asked)).ids).toEqual(expected);
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

/** A table that counts what a request reads: items by kind, each once, and queries. */
const counting = () => {
  const asked = new Set<string>();
  const table = new MemoryTable((operation, wanted) => {
    for (const { pk, sk } of wanted) asked.add(`${operation} ${kindOfKey(pk)} ${pk} ${sk}`);
  });
  const readsOf = async (harness: ImportHarness, query: object) => {
    asked.clear();
    const { jobs, paging } = await harness.listAllJobs(query);
    const kinds = Map.groupBy(asked, (one) => one.split(' ').slice(0, 2).join(' '));
    const reads = Object.fromEntries([...kinds].map(([kind, each]) => [kind, each.length]));
    return { jobs: jobs.length, hasNext: paging.next_page !== null, reads };
  };
  return { table, readsOf };
};

it('a page reads the counter, its jobs and their definitions, and the batches of jobs without a final count', async () => {
  const { table, readsOf } = counting();
  const harness = await withJobs(
    300,
    Array.from({ length: 300 }, (_, index) => ({ n: index + 1, failed: true })),
    table,
  );
  const ended = async (n: number) => {
    const job = await harness.deps.imports.job(scope.id, scopedId(scope.id, n));
    if (!job) throw new Error('no job');
    const progress = { ...(await readProgress(harness.deps, job)), status: 'complete' as const };
    await harness.deps.imports.updateJob(job, { phase: 'split', final: { batches: 0, progress } });
  };
  for (let n = 150; n <= 300; n += 1) await ended(n);
  expect(await readsOf(harness, { limit: '20' })).toEqual({
    jobs: 20,
    hasNext: true,
    // The counter, and for the link the rules of the property.
    reads: { 'get property': 2, 'getMany batch': 20, 'getMany import': 1 },
  });
  // A filter examines 100 jobs, though it keeps none of them.
  expect(await readsOf(harness, { limit: '20', status: 'processing' })).toEqual({
    jobs: 0,
    hasNext: true,
    reads: { 'get property': 2, 'getMany batch': 100 },
  });
  expect(await readsOf(harness, { limit: '20', order: 'oldest' })).toMatchObject({
    jobs: 20,
    reads: { 'getMany batch': 20, 'query batch': 20 },
  });
  // A page has 100 jobs at most.
  expect(await readsOf(harness, { limit: '1000' })).toMatchObject({ jobs: 100, hasNext: true });
});

it('passes over the ids that a restore leaves out, some 1,200 with a request', async () => {
  const { table, readsOf } = counting();
  const harness = await withJobs(100_030, [{ n: 7, failed: false }], table);
  expect(await readsOf(harness, {})).toMatchObject({ jobs: 0, hasNext: true });
  for (const query of [{}, { status: 'unknown' }, { status: 'complete', order: 'oldest' }]) {
    const { reads } = await readsOf(harness, { limit: '1', ...query });
    expect(reads['getMany batch']).toBeGreaterThan(1_200);
    expect(reads['getMany batch']).toBeLessThanOrEqual(1_300);
  }
  const { ids, pages } = await walk(harness, { limit: '100' });
  expect(ids).toEqual([scopedId(scope.id, 7)]);
  expect(pages.length).toBeLessThan(90);
});

it('ends a page early where the definitions of its jobs are very large', async () => {
  const harness = await withJobs(0, []);
  const { id: small } = await harness.define();
  const definition = v.parse(definitionItem, await harness.table.get(keys.importDefinition(scope.id, small)));
  for (let n = 10; n < 90; n += 1) {
    const id = scopedId(scope.id, n);
    await harness.deps.imports.addDefinition({
      ...definition,
      ...{ id, not_identities: ['x'.repeat(380_000)] },
    });
    await harness.openJob(id);
  }
  const { ids, pages } = await walk(harness, { limit: '100' });
  expect(pages).toEqual([25, 25, 25, 5]);
  expect(new Set(ids).size).toBe(80);
});
