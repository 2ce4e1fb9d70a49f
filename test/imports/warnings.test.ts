import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parseBatch } from '../../shared/imports/job.ts';
import { batchMessage } from '../../shared/imports/messages.ts';
import { processBatch, type BatchDeps } from '../../shared/imports/process-batch.ts';
import { listImportWarnings } from '../../shared/imports/reports-api.ts';
import { applyRecords } from '../../shared/profiles/apply.ts';
import {
  define,
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

/** Works off everything queued with another way to store. */
const workOffWith = async (world: ImportWorld, store: BatchDeps['store']): Promise<void> => {
  for (const message of world.batches.takeBodies())
    await processBatch({ ...world.deps, store }, v.parse(batchMessage, message));
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
    await send(world, job, [{ email: 'a@x.org' }]);
    const full = { ...world.profileDeps, segments: { idsOf: () => Promise.resolve(new Map()) } };
    await workOffWith(world, (scope, records, cause) =>
      applyRecords(full, scope, records, { cause, index: 'later' }),
    );
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
    await Promise.all([processBatch(world.deps, message), processBatch(world.deps, message)]);
    expect(world.work.keys().filter((key) => key.startsWith('warned/'))).toHaveLength(2);
    expect((await readWarnings(world, importId, job)).warnings).toHaveLength(1);
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

it('a batch that had its result before there were warnings has none', () => {
  const batch = parseBatch({
    w: 'w',
    uuid: 'u',
    name: 'b',
    accepted: 1,
    records: 1,
    skipAppends: false,
    source: { kind: 'records', key: 'k' },
    result: { serialized: 1, unserializable: 0, completed: 1, failed: 0, errors: null, finished: 2 },
  });
  expect(batch.result?.warnings).toBeNull();
});
