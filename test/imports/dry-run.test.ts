import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { definitionOf } from '../support/field-map.ts';
import { limits } from '../../shared/config/limits.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import type { QueueMessage } from '../../shared/runtime/ports.ts';
import { dataIn, definition, dryRun, uploadDryRun } from './dry-run-scenes.ts';
import { Killed } from '../ingest/interleave.ts';
import { tagsFrom } from './guard-scenes.ts';
import { withDefinition } from './import-harness.ts';
import { download, retried } from './retry-harness.ts';

const known = 'unique_id,email,first_name,tags\nu1,a@x.org,Ann,jazz\nu2,b@x.org,Bob,jazz\n';

describe('a dry run of a file', () => {
  it('tells new, changed and unchanged people, refused rows, warnings and new segments, and stores none', async () => {
    const { harness, id } = await withDefinition(definition);
    const { id: real } = await harness.openJob(id);
    await harness.store(real, [
      { unique_id: 'u1', email: 'a@x.org', first_name: 'Ann', tags: tagsFrom(0, 1)[0]?.tags },
      { unique_id: 'u2', email: 'b@x.org', first_name: 'Bob' },
    ]);
    const before = [dataIn(harness), harness.ids.size, harness.drains.length];
    // Ann is unchanged, Bob changed, Cyd comes twice, and Dan claims the address of Ann.
    const file = `${known.split('\n')[0]}
u1,a@x.org,Ann,t0
u2,b@x.org,Robert,
,c@x.org,Cyd,opera
,c@x.org,Cyd,opera;chess
u4,a@x.org,Dan,chess
,wrong,Eve,unseen
`;
    const job = await dryRun(harness, id, file.replace('u1,a@x.org,Ann,t0', 'u1,a@x.org,Ann,'));
    expect(job).toMatchObject({
      dry_run: true,
      counts: { status: 'complete-with-errors', ingested: 6, completed: 5, unserializable: 1 },
      dry_run_result: {
        people: { new: 2, changed: 1, unchanged: 1 },
        rows: { stored: 5, refused: 1, failed: 0, warnings: 1 },
        new_segments: {
          count: 2,
          segments: [
            { type: 'tag', name: 'chess', members: 2 },
            { type: 'tag', name: 'opera', members: 1 },
          ],
        },
        stopped_by: null,
      },
    });
    expect([dataIn(harness), harness.ids.size, harness.drains.length]).toEqual(before);
    expect(await harness.listJobs(id)).toMatchObject([
      { id: job.id, dry_run: true },
      { id: real, dry_run: false },
    ]);
  });

  it('counts a new person once, however many batches the person is in', async () => {
    const { harness, id } = await withDefinition(definition);
    const rows = Array.from({ length: 2 * limits.imports.rowsPerChunk + 10 }, (_, index) => {
      const person = index % 5_000;
      return index < 5_000 ? `,p${person}@x.org,A,jazz` : `u${person},p${person}@x.org,A,chess`;
    });
    const job = await dryRun(harness, id, `unique_id,email,first_name,tags\n${rows.join('\n')}\n`);
    expect(job.dry_run_result).toMatchObject({
      people: { new: 5_000, changed: 0, unchanged: 0 },
      new_segments: {
        segments: [
          { name: 'chess', members: rows.length - 5_000 },
          { name: 'jazz', members: 5_000 },
        ],
      },
    });
  });

  it('tells the guard that would stop the file, with the first 1,000 of all new segments', async () => {
    const { harness, id } = await withDefinition(definition);
    const rows = Array.from(
      { length: 1_500 },
      (_, index) => `,p${index}@x.org,A,t${index + 10_000}`,
    ).toReversed();
    const { dry_run_result: result } = await dryRun(
      harness,
      id,
      `unique_id,email,first_name,tags\n${rows.join('\n')}\n`,
    );
    expect(result?.new_segments.count).toBe(1_500);
    expect(result?.new_segments.segments.map(({ name }) => name)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `t${index + 10_000}`),
    );
    expect(result?.stopped_by).toMatchObject({ code: 'too_many_new_segments' });
    expect(result?.stopped_by?.message).toContain('1500 new segments');
  });

  it('takes corrected rows into its result', async () => {
    const { harness, id } = await withDefinition(definition);
    const { id: job } = await dryRun(
      harness,
      id,
      'unique_id,email,first_name,tags\n,a@x.org,A,\n,bad,B,jazz\n',
    );
    const refused = { harness, importId: id, job };
    await retried(refused, (await download(refused)).replace('bad', 'b@x.org'));
    expect((await harness.readJob(id, job)).counts.status).toBe('processing');
    await harness.workOff();
    expect(await harness.readJob(id, job)).toMatchObject({
      counts: { status: 'complete', completed: 2 },
      dry_run_result: { people: { new: 2 }, rows: { stored: 2, refused: 0 }, new_segments: { count: 1 } },
    });
    expect(await harness.people()).toEqual([]);
  });
});

describe('the end of a dry run of a file', () => {
  const file = 'unique_id,email,first_name,tags\n,a@x.org,A,jazz\n';

  it('has its result when all workers are done before the last row is in a batch', async () => {
    const { harness, id } = await withDefinition(definition);
    for (const [rows, people] of [
      [file, 1],
      [file.split('\n')[0] ?? '', 0],
    ] as const) {
      const reference = await uploadDryRun(harness, id, rows);
      const send = async (messages: readonly QueueMessage[]): Promise<void> => {
        for (const { body } of messages) await harness.importBatch(v.parse(batchMessage, JSON.parse(body)));
      };
      await splitFile({ ...harness.deps, batches: { send } }, reference);
      expect(await harness.readJob(id, reference.job)).toMatchObject({
        counts: { status: 'complete' },
        dry_run_result: { people: { new: people } },
      });
    }
  });

  it('is not shown before its result is there', async () => {
    const { harness, id } = await withDefinition(definition);
    const reference = await uploadDryRun(harness, id, file);
    await harness.splitFile(reference);
    const message = harness.firstMessage();
    const real = harness.work;
    const work = {
      head: (key: string) => real.head(key),
      get: (key: string) => real.get(key),
      read: (...input: Parameters<typeof real.read>) => real.read(...input),
      put: (...input: Parameters<typeof real.put>) =>
        input[0].includes('result') ? Promise.reject(new Killed()) : real.put(...input),
    };
    await expect(importBatch({ ...harness.deps, work }, message)).rejects.toThrow(Killed);
    expect((await harness.readJob(id, reference.job)).counts).toMatchObject({
      status: 'processing',
      completed: 1,
    });
    await harness.importBatch(message);
    expect((await harness.readJob(id, reference.job)).counts.status).toBe('complete');
  });

  it('comes early when the file has more rows than a result can add up', async () => {
    const { harness, id } = await withDefinition(definitionOf(['email']));
    const reference = await uploadDryRun(
      harness,
      id,
      `email\n${'x\n'.repeat(limits.imports.dryRunRows + 1)}`,
    );
    await harness.splitFile(reference);
    expect(await harness.readJob(id, reference.job)).toMatchObject({
      failure: { code: 'too_many_rows' },
    });
  });
});
