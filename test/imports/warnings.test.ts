import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import type { BatchDeps } from '../../shared/imports/batches/process-slices.ts';
import { listImportWarnings } from '../../shared/imports/reports/list-report.ts';
import {
  begin,
  type ImportHarness,
  request,
  simpleDefinition,
  withDefinition,
  ranFile,
} from './import-harness.ts';
import { storingWithoutTags } from './import-world.ts';
import { definitionOf } from '../support/field-map.ts';

const family = 'family@x.org';
const conflict = (field: string) => ({
  code: 'identity_conflict',
  field,
  message: `The ${field} belongs to another profile and was not stored.`,
});

/** Works off everything queued with another way to store. */
const workOffWith = async (harness: ImportHarness, store: BatchDeps['store']): Promise<void> => {
  for (const message of harness.messages()) await importBatch({ ...harness.deps, store: store }, message);
};

describe('the warnings of a batch', () => {
  it('name row, code, contested identity and text of each record that was stored in part', async () => {
    const { harness, importId, job } = await begin();
    const records = [
      { unique_id: 'mum', email: family },
      { unique_id: 'dad', email: family },
      { email: 'nobody' },
    ];
    const { batch_job_uuid } = await harness.store(job, records);
    expect(await harness.readWarnings(importId, job)).toEqual({
      warnings: [
        {
          row: 2,
          line: null,
          batch_job_uuid,
          file: null,
          ...conflict('email'),
          column: null,
          record: JSON.stringify(records[1]),
        },
      ],
      paging: { next_page: null },
    });
    expect((await harness.readErrors(importId, job)).errors).toMatchObject([{ row: 3, field: 'email' }]);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ completed: 2, failed: 0 });
  });

  it('are listed one by one when a record has several, and leave the job complete', async () => {
    const { harness, importId, job } = await begin();
    await harness.store(job, [
      { unique_id: 'mum', email: family, social_id: 's' },
      { unique_id: 'dad', email: family, social_id: 's' },
      { unique_id: 'son', email: 'son@x.org' },
    ]);
    const { warnings } = await harness.readWarnings(importId, job);
    expect(warnings).toMatchObject([
      { row: 2, ...conflict('email') },
      { row: 2, ...conflict('social_id') },
    ]);
    expect((await harness.readJob(importId, job)).counts.status).toBe('complete');
  });

  it('tell of segments that found no room', async () => {
    const { harness, importId, job } = await begin();
    const tags = [{ datetime: '2026-01-01 00:00:00', tag: ['rare'] }];
    await harness.send(job, [{ email: 'a@x.org', tags }, { email: 'b@x.org' }]);
    await workOffWith(harness, storingWithoutTags(harness));
    const { warnings } = await harness.readWarnings(importId, job);
    expect(warnings).toMatchObject([{ row: 1, code: 'segment_limit', field: null }]);
  });

  it('tell of people forgotten since: their records count as completed, and nothing is indexed', async () => {
    const { harness, importId, job } = await begin();
    await harness.send(job, [{ email: 'a@x.org' }]);
    const warnings = [{ code: 'forgotten', detail: 'Was forgotten.' }] as const;
    await workOffWith(harness, (_scope, records) =>
      Promise.resolve(records.map(() => ({ kind: 'forgotten', warnings }))),
    );
    expect((await harness.readWarnings(importId, job)).warnings).toMatchObject([
      { row: 1, code: 'forgotten', field: null, message: 'Was forgotten.' },
    ]);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ completed: 1, failed: 0 });
    expect(harness.drains).toEqual([]);
  });

  it('are those of the real rules in test mode, which stores nothing', async () => {
    const { harness, importId, job } = await begin({ ...simpleDefinition, test_mode: true });
    await harness.store(job, [
      { unique_id: 'mum', email: family },
      { unique_id: 'dad', email: family },
    ]);
    expect((await harness.readWarnings(importId, job)).warnings).toMatchObject([
      { row: 2, code: 'identity_conflict' },
    ]);
  });

  it('are told once, of one attempt, when two work on the batch at once', async () => {
    const { harness, importId, job } = await begin({
      ...simpleDefinition,
      max_new_segments: null,
      max_addresses_per_id: null,
    });
    const { batch_job_uuid: batch } = await harness.send(job, [
      { unique_id: 'mum', email: family },
      { unique_id: 'dad', email: family },
    ]);
    const message = { v: 1, property: 7, job, batch } as const;
    await Promise.all([harness.importBatch(message), harness.importBatch(message)]);
    // Each attempt keeps its own, the first one again when it learns of the second.
    expect(harness.work.keys().filter((key) => key.startsWith('warned/'))).toHaveLength(3);
    expect((await harness.readWarnings(importId, job)).warnings).toHaveLength(1);
  });
});

describe('the warning of a segment without room', () => {
  const tagsOf = (tag: string) => [{ datetime: '2026-01-01 00:00:00', tag: [tag] }];
  /** Every tenth of so many records has a tag of its own. */
  const recordsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      email: `p${index}@x.org`,
      city: 'Lyon',
      ...(index % 10 === 0 ? { tags: tagsOf(`rare ${index}`) } : {}),
    }));
  const warnedOf = (count: number) => Array.from({ length: count / 10 }, (_, index) => 10 * index + 1);
  const listed = async (
    harness: ImportHarness,
    importId: number,
    job: number,
  ): Promise<readonly number[]> => {
    const { warnings } = await harness.readWarnings(importId, job, { limit: '1000' });
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['segment_limit']));
    return warnings.map(({ row }) => row ?? 0);
  };

  it('stays when the worker dies behind any of its slices and another works the batch off', async () => {
    const count = limits.imports.rowsPerSlice + 100;
    for (const slices of [1, 2]) {
      const { harness, importId, job } = await begin();
      const store = storingWithoutTags(harness);
      const { batch_job_uuid: batch } = await harness.send(job, recordsOf(count));
      const message = { v: 1, property: 7, job, batch } as const;
      let stored = 0;
      const dying: BatchDeps['store'] = async (...slice) => {
        const outcomes = await store(...slice);
        stored += 1;
        if (stored >= slices) throw new Error('killed');
        return outcomes;
      };
      const killed = importBatch({ ...harness.deps, store: dying }, message);
      await expect(killed).rejects.toThrow('killed');
      await importBatch({ ...harness.deps, store: store }, message);
      expect(await listed(harness, importId, job), `${slices} slices`).toEqual(warnedOf(count));
    }
  });

  it('stays whoever of two that work at once stores which rows, and whoever is done first', async () => {
    for (const patient of ['first', 'second'] as const) {
      const { harness, importId, job } = await begin();
      const store = storingWithoutTags(harness);
      const { batch_job_uuid: batch } = await harness.send(job, recordsOf(100));
      const message = { v: 1, property: 7, job, batch } as const;
      const other = Promise.withResolvers<undefined>();
      const begun = Promise.withResolvers<undefined>();
      /** Stores nothing before the other worker has stored all. */
      const waiting: BatchDeps['store'] = async (...slice) => {
        begun.resolve(undefined);
        await other.promise;
        return store(...slice);
      };
      const storing: BatchDeps['store'] = async (...slice) => {
        const outcomes = await store(...slice);
        if (patient === 'second') await begun.promise;
        return outcomes;
      };
      // The quick one stores all. If it came second, it dies before its result, and the first must have noticed it.
      const held = {
        ...harness.deps.imports,
        finishBatch: async (...result: Parameters<typeof harness.deps.imports.finishBatch>) => {
          other.resolve(undefined);
          if (patient === 'first') throw new Error('killed');
          return harness.deps.imports.finishBatch(...result);
        },
      };
      let slow: Promise<void> = Promise.resolve();
      if (patient === 'first') {
        slow = importBatch({ ...harness.deps, store: waiting }, message);
        await begun.promise;
        const quick = importBatch({ ...harness.deps, store: storing, imports: held }, message);
        await expect(quick).rejects.toThrow('killed');
      } else {
        const quick = importBatch({ ...harness.deps, store: storing, imports: held }, message);
        slow = importBatch({ ...harness.deps, store: waiting }, message);
        await quick;
      }
      await slow;
      expect(await listed(harness, importId, job), patient).toEqual(warnedOf(100));
    }
  });

  it('is not told of rows that name no such segment, though their people have one', async () => {
    const { harness, importId, job } = await begin();
    const store = storingWithoutTags(harness);
    await harness.send(job, [{ email: 'a@x.org', tags: tagsOf('rare') }]);
    await workOffWith(harness, store);
    const { batch_job_uuid: batch } = await harness.send(job, [
      { email: 'b@x.org' },
      { email: 'a@x.org', first_name: 'A' },
    ]);
    const message = { v: 1, property: 7, job, batch } as const;
    const unfinished = { ...harness.deps.imports, finishBatch: () => Promise.reject(new Error('killed')) };
    const dying = importBatch({ ...harness.deps, store: store, imports: unfinished }, message);
    await expect(dying).rejects.toThrow('killed');
    await importBatch({ ...harness.deps, store: store }, message);
    const { warnings } = await harness.readWarnings(importId, job);
    expect(warnings.filter((one) => one.batch_job_uuid === batch)).toEqual([]);
    expect(warnings).toHaveLength(1);
  });
});

describe('the list of warnings', () => {
  const definition = definitionOf(['unique_id', 'email']);

  it('of a file names its lines, in pages that miss and repeat nothing', async () => {
    const { harness, id } = await withDefinition(definition);
    const people = Array.from({ length: 5 }, (_, index) => `"u${index}",${family}`);
    const job = await harness.runFile(id, `unique_id,email\n${people.join('\n')}\n`);
    const seen: unknown[] = [];
    let query: Record<string, string> = { limit: '3' };
    for (let pages = 0; pages < 2; pages += 1) {
      const { warnings, paging } = await harness.readWarnings(id, job.id, query);
      seen.push(...warnings.map(({ row, line, file, record }) => [row, line, file, record]));
      expect(paging.next_page === null).toBe(pages === 1);
      if (paging.next_page !== null) query = Object.fromEntries(new URL(paging.next_page).searchParams);
    }
    expect(seen).toEqual(
      [1, 2, 3, 4].map((index) => [index + 1, index + 2, 'visitors.csv', `"u${index}",${family}`]),
    );
  });

  it('takes no cursor of the list of errors', async () => {
    const { harness, id, job } = await ranFile('email,first_name\nbad1,\nbad2,\n');
    const { paging } = await harness.readErrors(id, job.id, { limit: '1' });
    const cursor = new URL(paging.next_page ?? '').searchParams.get('cursor') ?? '';
    const path = { import_id: id, job_id: job.id };
    const query = { cursor, limit: undefined, format: 'json' } as const;
    expect(await listImportWarnings(harness.deps, request(path, query, undefined))).toMatchObject({
      ok: false,
      error: { status: 400 },
    });
  });

  it('is 404 for a job of another definition', async () => {
    const { harness, importId, job } = await begin();
    const path = { import_id: importId + 1, job_id: job };
    const query = { cursor: undefined, limit: undefined, format: 'json' } as const;
    expect(await listImportWarnings(harness.deps, request(path, query, undefined))).toMatchObject({
      ok: false,
      error: { status: 404 },
    });
  });
});
