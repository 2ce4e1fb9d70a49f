import { describe, expect, it } from 'vitest';
import { textLike } from '../support/answers.ts';
import { begin, type ImportHarness, simpleDefinition } from './import-harness.ts';

const refusal = async (harness: ImportHarness, job: number) => harness.importRecords(job, [{}]);

describe('a job for batches', () => {
  it('begins as unknown with all counts 0', async () => {
    const { harness, importId, job } = await begin();
    expect(await harness.readJob(importId, job)).toEqual({
      id: 7_000_000_001,
      name: 'job',
      property: 7,
      created: '2026-01-15T12:00:00.000Z',
      started: null,
      finished: null,
      file_path: null,
      dialect: null,
      dry_run: false,
      dry_run_result: null,
      undo: null,
      phase: 'waiting_for_batches',
      import_definition: importId,
      counts: {
        status: 'unknown',
        ingested: 0,
        serialized: 0,
        unserializable: 0,
        processing: 0,
        completed: 0,
        failed: 0,
      },
      failure: null,
      warnings: [],
      refused_by: [],
      warned_by: [],
    });
  });

  it('refuses the records with U+FFFD alone', async () => {
    const { harness, importId, job } = await begin();
    await harness.store(job, [
      { email: 'a@x.org', first_name: 'Jos\ufffd' },
      { email: 'b@x.org', first_name: 'B', extra_data: { 'k\ufffd': 1 } },
      { email: 'c@x.org', first_name: 'C' },
    ]);
    expect(await harness.people()).toEqual([['c@x.org', 'C']]);
    expect((await harness.readErrors(importId, job)).errors).toMatchObject([
      { row: 1, code: 'bad_characters', field: 'first_name' },
      { row: 2, code: 'bad_characters', field: 'extra_data' },
    ]);
  });

  it('counts a batch at once, and stores it later', async () => {
    const { harness, importId, job } = await begin();
    const batch = await harness.send(job, [{ email: 'a@x.org', first_name: 'A' }, { email: 'b@x.org' }]);
    expect(batch).toMatchObject({ name: 'batch', skip_appends: false });
    expect(batch.import_job.counts).toMatchObject({
      status: 'ingestion-complete',
      ingested: 2,
      completed: 0,
    });
    expect((await harness.readJob(importId, job)).counts.status).toBe('ingestion-complete');
    await harness.workOff();
    const done = await harness.readJob(importId, job);
    expect(done.counts).toMatchObject({ status: 'complete', ingested: 2, completed: 2, processing: 0 });
    expect(done.finished).not.toBeNull();
    expect(await harness.people()).toEqual([
      ['a@x.org', 'A'],
      ['b@x.org', null],
    ]);
    expect(harness.drains).toEqual([[0]]);
  });

  it('is complete only when all it stored is visible, and stays so whatever others write', async () => {
    const { harness, importId, job } = await begin();
    await harness.store(job, [{ email: 'a@x.org' }]);
    harness.barrier.settled = false;
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'processing',
      completed: 1,
    });
    harness.barrier.settled = true;
    expect((await harness.readJob(importId, job)).counts.status).toBe('complete');
    harness.barrier.settled = false;
    expect((await harness.readJob(importId, job)).counts.status).toBe('complete');
  });

  it('waits for what was announced by the end of its last batch, not for what comes later', async () => {
    const { harness, importId, job } = await begin();
    await harness.store(job, [{ email: 'a@x.org' }]);
    const { finished } = await harness.readJob(importId, job);
    expect(harness.barrier.asked).toEqual([Date.parse(finished ?? '') + 5_000]);
  });

  it('is reopened by a new batch, with totals over all', async () => {
    const { harness, importId, job } = await begin();
    await harness.store(job, [{ email: 'a@x.org' }]);
    await harness.readJob(importId, job);
    const second = await harness.send(job, [{ email: 'b@x.org' }, 'no record']);
    expect(second.import_job.counts).toMatchObject({
      status: 'ingestion-complete',
      ingested: 3,
      completed: 1,
    });
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'processing',
      ingested: 3,
    });
    await harness.workOff();
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'complete-with-errors',
      ingested: 3,
      serialized: 2,
      unserializable: 1,
      completed: 2,
    });
  });

  it('refuses bad records one by one, with row, field, code and text', async () => {
    const { harness, importId, job } = await begin();
    const bad = [
      [null, null, 'invalid'],
      ['x', null, 'invalid'],
      [[1], null, 'invalid'],
      [{ first_name: 'A' }, 'email', 'required'],
      [{ email: '' }, 'email', 'required'],
      [{ email: 'nobody' }, 'email', 'not_an_email'],
      [{ email: 'a@x.org', nickname: 'A' }, 'nickname', 'unknown_field'],
      [{ email: 'a@x.org', age: 151 }, 'age', 'out_of_range'],
      [{ email: 'a@x.org', birthday: '2021-02-30' }, 'birthday', 'not_a_date'],
      [{ email: 'a@x.org', first_name: 'x'.repeat(400_000) }, 'first_name', 'too_long'],
    ] as const;
    const good = Array.from({ length: 20 }, (_, index) => ({ email: `p${index}@x.org` }));
    const { batch_job_uuid } = await harness.store(job, [...good, ...bad.map(([record]) => record)]);
    const { errors } = await harness.readErrors(importId, job);
    expect(errors.map(({ row, field, code }) => [row, field, code])).toEqual(
      bad.map(([, field, code], index) => [good.length + index + 1, field, code]),
    );
    for (const [index, { record, line, file, batch_job_uuid: uuid }] of errors.entries()) {
      expect({ line, file, uuid }).toEqual({ line: null, file: null, uuid: batch_job_uuid });
      expect(record?.slice(0, 90_000)).toBe(JSON.stringify(bad[index]?.[0]).slice(0, 90_000));
    }
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'complete-with-errors',
      ingested: 30,
      completed: 20,
      unserializable: 10,
    });
    expect(await harness.people()).toHaveLength(20);
  });

  it('counts what is valid but cannot be stored as failed, with its reason', async () => {
    const { harness, importId, job } = await begin({ ...simpleDefinition, max_new_segments: null });
    const likes = (from: number) => Array.from({ length: 3_000 }, (_, index) => ({ id: `${from + index}` }));
    await harness.store(job, [{ email: 'a@x.org', social_likes: likes(0) }]);
    await harness.store(job, [{ email: 'a@x.org', social_likes: likes(3_000) }, { email: 'b@x.org' }]);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'complete-with-errors',
      ingested: 3,
      serialized: 3,
      completed: 2,
      failed: 1,
    });
    expect((await harness.readErrors(importId, job)).errors).toMatchObject([
      { row: 1, field: 'social_likes' },
    ]);
  });

  it('lets skip_appends leave out third-party values only', async () => {
    const { harness, job } = await begin();
    const records = [
      { email: 'a@x.org', first_name: 'Third', attribute_source: 'third_party' },
      { email: 'b@x.org', first_name: 'Stated' },
    ];
    const batch = await harness.send(job, records, { skip_appends: true });
    expect(batch.skip_appends).toBe(true);
    await harness.workOff();
    expect(await harness.people()).toEqual([
      ['a@x.org', null],
      ['b@x.org', 'Stated'],
    ]);
  });

  it('takes trust and skip_appends from the definition unless told', async () => {
    const { harness, job } = await begin({
      ...simpleDefinition,
      attribute_source: 'third_party',
      skip_appends: true,
    });
    expect((await harness.send(job, [{ email: 'a@x.org', first_name: 'A' }])).skip_appends).toBe(true);
    await harness.workOff();
    await harness.store(job, [{ email: 'b@x.org', first_name: 'B' }], { skip_appends: false });
    expect(await harness.people()).toEqual([
      ['a@x.org', null],
      ['b@x.org', 'B'],
    ]);
  });

  it('stores nothing in test mode', async () => {
    const { harness, importId, job } = await begin({ ...simpleDefinition, test_mode: true });
    await harness.store(job, [{ email: 'a@x.org' }, {}]);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ completed: 1, unserializable: 1 });
    expect(await harness.people()).toEqual([]);
  });

  it('asks whether all is visible that was announced by the last of its results', async () => {
    const { harness, importId, job } = await begin();
    const finished: number[] = [];
    for (const email of ['a@x.org', 'b@x.org', 'c@x.org']) {
      const { batch_job_uuid: batch } = await harness.send(job, [{ email }]);
      for (const message of harness.messages()) await harness.importBatch(message);
      finished.push((await harness.deps.imports.batch(7, job, batch))?.result?.finished ?? 0);
    }
    harness.barrier.asked.length = 0;
    await harness.readJob(importId, job);
    // Five seconds are allowed for clocks that differ.
    expect(harness.barrier.asked).toEqual([Math.max(...finished) + 5_000]);
  });
});

describe('a batch is refused', () => {
  it('for a job that is unknown or of another property', async () => {
    const { harness } = await begin();
    for (const job of [7_000_000_009, 8_000_000_001, 1]) {
      const answer = await refusal(harness, job);
      expect(answer).toMatchObject({
        ok: false,
        error: {
          status: 422,
          errors: [
            {
              pointer: '/import_job',
              code: 'unknown_reference',
              detail: `There is no job ${job} in this property, or it belongs to somebody else.`,
            },
          ],
        },
      });
    }
    expect(harness.batches.take()).toEqual([]);
  });

  it('for the job of a file, and for one that is cancelled', async () => {
    const { harness, importId, job } = await begin();
    const made = await harness.openUpload(importId, 1);
    expect(await refusal(harness, made.job)).toMatchObject({
      ok: false,
      error: {
        status: 409,
        code: 'file_job',
        detail: textLike(/^Job \d+ imports a file; make one for batches with POST imports\/\d+\/jobs\.$/),
      },
    });
    const open = await harness.deps.imports.job(7, job);
    if (open) await harness.deps.imports.updateJob(open, { phase: 'cancelled', ended: 1 });
    expect(await refusal(harness, job)).toMatchObject({
      ok: false,
      error: { status: 409, code: 'job_closed' },
    });
  });
});
