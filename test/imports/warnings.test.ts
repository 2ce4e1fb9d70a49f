import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { batchMessage } from '../../shared/imports/model/job-messages.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import type { BatchDeps } from '../../shared/imports/batches/batch-attempt.ts';
import { listImportWarnings } from '../../shared/imports/reports/list-import-warnings.ts';
import {
  define,
  storingIn,
  type ImportWorld,
  importWorld,
  openJob,
  readErrors,
  readJob,
  readWarnings,
  request,
  runFile,
  send,
  simpleDefinition,
  workOff,
} from './import-world.ts';

const family = 'family@x.org';
const conflict = (field: string) => ({
  code: 'identity_conflict',
  field,
  message: `The ${field} belongs to another profile and was not stored.`,
});

const begin = async (definition: unknown = simpleDefinition) => {
  const world = importWorld();
  const { id: importId } = await define(world, definition);
  const { id: job } = await openJob(world, importId);
  return { world, importId, job };
};

type Profiles = ImportWorld['profileDeps'];
/** Profiles of a property that has no room for segments of tags. */
const fullOf = ({ profileDeps }: ImportWorld): Profiles => ({
  ...profileDeps,
  segments: {
    idsOf: async (property, identities) =>
      profileDeps.segments.idsOf(
        property,
        identities.filter(({ type }) => type !== 'tag'),
      ),
  },
});

/** Works off everything queued with another way to store. */
const workOffWith = async (world: ImportWorld, store: BatchDeps['store']): Promise<void> => {
  for (const message of world.batches.takeBodies())
    await importBatch({ ...world.deps, store: store }, v.parse(batchMessage, message));
};

describe('the warnings of a batch', () => {
  it('name row, code, contested identity and text of each record that was stored in part', async () => {
    const { world, importId, job } = await begin();
    const records = [
      { unique_id: 'mum', email: family },
      { unique_id: 'dad', email: family },
      { email: 'nobody' },
    ];
    const { batch_job_uuid } = await send(world, job, records);
    await workOff(world);
    expect(await readWarnings(world, importId, job)).toEqual({
      warnings: [
        {
          row: 2,
          line: null,
          batch_job_uuid,
          file: null,
          ...conflict('email'),
          record: JSON.stringify(records[1]),
        },
      ],
      paging: { next_page: null },
    });
    expect((await readErrors(world, importId, job)).errors).toMatchObject([{ row: 3, field: 'email' }]);
    expect((await readJob(world, importId, job)).counts).toMatchObject({ completed: 2, failed: 0 });
  });

  it('are listed one by one when a record has several, and leave the job complete', async () => {
    const { world, importId, job } = await begin();
    await send(world, job, [
      { unique_id: 'mum', email: family, social_id: 's' },
      { unique_id: 'dad', email: family, social_id: 's' },
      { unique_id: 'son', email: 'son@x.org' },
    ]);
    await workOff(world);
    const { warnings } = await readWarnings(world, importId, job);
    expect(warnings).toMatchObject([
      { row: 2, ...conflict('email') },
      { row: 2, ...conflict('social_id') },
    ]);
    expect((await readJob(world, importId, job)).counts.status).toBe('complete');
  });

  it('tell of segments that found no room', async () => {
    const { world, importId, job } = await begin();
    const tags = [{ datetime: '2026-01-01 00:00:00', tag: ['rare'] }];
    await send(world, job, [{ email: 'a@x.org', tags }, { email: 'b@x.org' }]);
    await workOffWith(world, storingIn(fullOf(world)));
    const { warnings } = await readWarnings(world, importId, job);
    expect(warnings).toMatchObject([{ row: 1, code: 'segment_limit', field: null }]);
  });

  it('tell of people forgotten since: their records count as completed, and nothing is indexed', async () => {
    const { world, importId, job } = await begin();
    await send(world, job, [{ email: 'a@x.org' }]);
    const warnings = [{ code: 'forgotten', detail: 'Was forgotten.' }] as const;
    await workOffWith(world, (_scope, records) =>
      Promise.resolve(records.map(() => ({ kind: 'forgotten', warnings }))),
    );
    expect((await readWarnings(world, importId, job)).warnings).toMatchObject([
      { row: 1, code: 'forgotten', field: null, message: 'Was forgotten.' },
    ]);
    expect((await readJob(world, importId, job)).counts).toMatchObject({ completed: 1, failed: 0 });
    expect(world.drains).toEqual([]);
  });

  it('are none in test mode, which stores nothing', async () => {
    const { world, importId, job } = await begin({ ...simpleDefinition, test_mode: true });
    await send(world, job, [
      { unique_id: 'mum', email: family },
      { unique_id: 'dad', email: family },
    ]);
    await workOff(world);
    expect((await readWarnings(world, importId, job)).warnings).toEqual([]);
  });

  it('are told once, of one attempt, when two work on the batch at once', async () => {
    const { world, importId, job } = await begin();
    const { batch_job_uuid: batch } = await send(world, job, [
      { unique_id: 'mum', email: family },
      { unique_id: 'dad', email: family },
    ]);
    const message = { v: 1, property: 7, job, batch } as const;
    await Promise.all([importBatch(world.deps, message), importBatch(world.deps, message)]);
    // Each attempt keeps its own, the first one again when it learns of the second.
    expect(world.work.keys().filter((key) => key.startsWith('warned/'))).toHaveLength(3);
    expect((await readWarnings(world, importId, job)).warnings).toHaveLength(1);
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
  const listed = async (world: ImportWorld, importId: number, job: number): Promise<readonly number[]> => {
    const { warnings } = await readWarnings(world, importId, job, { limit: '1000' });
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['segment_limit']));
    return warnings.map(({ row }) => row ?? 0);
  };

  it('stays when the worker dies behind any of its slices and another works the batch off', async () => {
    const count = limits.imports.rowsPerSlice + 100;
    for (const slices of [1, 2]) {
      const { world, importId, job } = await begin();
      const store = storingIn(fullOf(world));
      const { batch_job_uuid: batch } = await send(world, job, recordsOf(count));
      const message = { v: 1, property: 7, job, batch } as const;
      let stored = 0;
      const dying: BatchDeps['store'] = async (...slice) => {
        const outcomes = await store(...slice);
        stored += 1;
        if (stored >= slices) throw new Error('killed');
        return outcomes;
      };
      const killed = importBatch({ ...world.deps, store: dying }, message);
      await expect(killed).rejects.toThrow('killed');
      await importBatch({ ...world.deps, store: store }, message, 2);
      expect(await listed(world, importId, job), `${slices} slices`).toEqual(warnedOf(count));
    }
  });

  it('stays whoever of two that work at once stores which rows, and whoever is done first', async () => {
    for (const patient of ['first', 'second'] as const) {
      const { world, importId, job } = await begin();
      const store = storingIn(fullOf(world));
      const { batch_job_uuid: batch } = await send(world, job, recordsOf(100));
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
        ...world.deps.imports,
        finishBatch: async (...result: Parameters<typeof world.deps.imports.finishBatch>) => {
          other.resolve(undefined);
          if (patient === 'first') throw new Error('killed');
          return world.deps.imports.finishBatch(...result);
        },
      };
      let slow: Promise<void> = Promise.resolve();
      if (patient === 'first') {
        slow = importBatch({ ...world.deps, store: waiting }, message);
        await begun.promise;
        const quick = importBatch({ ...world.deps, store: storing, imports: held }, message);
        await expect(quick).rejects.toThrow('killed');
      } else {
        const quick = importBatch({ ...world.deps, store: storing, imports: held }, message);
        slow = importBatch({ ...world.deps, store: waiting }, message);
        await quick;
      }
      await slow;
      expect(await listed(world, importId, job), patient).toEqual(warnedOf(100));
    }
  });

  it('is not told of rows that name no such segment, though their people have one', async () => {
    const { world, importId, job } = await begin();
    const store = storingIn(fullOf(world));
    await send(world, job, [{ email: 'a@x.org', tags: tagsOf('rare') }]);
    await workOffWith(world, store);
    const { batch_job_uuid: batch } = await send(world, job, [
      { email: 'b@x.org' },
      { email: 'a@x.org', first_name: 'A' },
    ]);
    const message = { v: 1, property: 7, job, batch } as const;
    const unfinished = { ...world.deps.imports, finishBatch: () => Promise.reject(new Error('killed')) };
    const dying = importBatch({ ...world.deps, store: store, imports: unfinished }, message);
    await expect(dying).rejects.toThrow('killed');
    await importBatch({ ...world.deps, store: store }, message, 2);
    const { warnings } = await readWarnings(world, importId, job);
    expect(warnings.filter((one) => one.batch_job_uuid === batch)).toEqual([]);
    expect(warnings).toHaveLength(1);
  });
});

describe('the list of warnings', () => {
  const columns = ['unique_id', 'email'];
  const definition = {
    name: 'Families',
    mapping_fields: {
      required_fields: [],
      field_maps: columns.map((name) => ({
        sources: [{ type: 'source_field', name }],
        target_field: name,
      })),
    },
  };

  it('of a file names its lines, in pages that miss and repeat nothing', async () => {
    const world = importWorld();
    const { id } = await define(world, definition);
    const people = Array.from({ length: 5 }, (_, index) => `"u${index}",${family}`);
    const job = await runFile(world, id, `unique_id,email\n${people.join('\n')}\n`);
    const seen: unknown[] = [];
    let query: Record<string, string> = { limit: '3' };
    for (let pages = 0; pages < 2; pages += 1) {
      const { warnings, paging } = await readWarnings(world, id, job.id, query);
      seen.push(...warnings.map(({ row, line, file, record }) => [row, line, file, record]));
      expect(paging.next_page === null).toBe(pages === 1);
      if (paging.next_page !== null) query = Object.fromEntries(new URL(paging.next_page).searchParams);
    }
    expect(seen).toEqual(
      [1, 2, 3, 4].map((index) => [index + 1, index + 2, 'visitors.csv', `"u${index}",${family}`]),
    );
  });

  it('takes no cursor of the list of errors', async () => {
    const world = importWorld();
    const { id } = await define(world);
    const job = await runFile(world, id, 'email,first_name\nbad1,\nbad2,\n');
    const { paging } = await readErrors(world, id, job.id, { limit: '1' });
    const cursor = new URL(paging.next_page ?? '').searchParams.get('cursor') ?? '';
    const path = { import_id: id, job_id: job.id };
    const query = { cursor, limit: undefined, format: 'json' } as const;
    expect(await listImportWarnings(world.deps, request(path, query, undefined))).toMatchObject({
      ok: false,
      error: { status: 400 },
    });
  });

  it('is 404 for a job of another definition', async () => {
    const { world, importId, job } = await begin();
    const path = { import_id: importId + 1, job_id: job };
    const query = { cursor: undefined, limit: undefined, format: 'json' } as const;
    expect(await listImportWarnings(world.deps, request(path, query, undefined))).toMatchObject({
      ok: false,
      error: { status: 404 },
    });
  });
});
