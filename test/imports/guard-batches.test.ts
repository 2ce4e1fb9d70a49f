import { describe, expect, it } from 'vitest';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import type { RecordOutcome } from '../../shared/profiles/types.ts';
import { noRules } from '../../shared/properties/rules.ts';
import { keys } from '../../shared/table/keys.ts';
import { scope } from '../profiles/harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { segmentsOf, tagged, tagsFrom } from './guard-scenes.ts';
import { begin, ranFile, tickingHarness } from './import-harness.ts';
import { download, retried } from './retry-harness.ts';
import { definitionOf } from '../support/field-map.ts';

describe('a job for batches that would make more new segments than its definition allows', () => {
  it('stores nothing of the batch that exceeds the guard, fails, and takes no more batches', async () => {
    const { harness, importId, job } = await begin(tagged);
    await harness.store(job, tagsFrom(0, 150));
    await harness.send(job, tagsFrom(150, 51));
    await harness.store(job, tagsFrom(0, 1));
    expect(await harness.readJob(importId, job)).toMatchObject({
      counts: { status: 'failed', ingested: 202, completed: 150, unserializable: 52, processing: 0 },
      failure: { code: 'too_many_new_segments' },
    });
    expect([segmentsOf(harness), (await harness.people()).length]).toEqual([150, 150]);
    const { errors } = await harness.readErrors(importId, job, { limit: '1000' });
    expect(errors).toHaveLength(53);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['too_many_new_segments']));
    const refused = await harness.importRecords(job, [{}]);
    expect(refused).toMatchObject({ ok: false, error: { status: 409, code: 'job_closed' } });
  });

  it('counts no special values that the property does not use', async () => {
    const body = definitionOf(['email', 'ethnicity', 'age'], { max_new_segments: 0 });
    for (const [special_categories, status] of [
      [true, 'failed'],
      [false, 'complete'],
    ] as const) {
      const { harness, importId, job } = await begin(body);
      await harness.table.put(keys.rules(scope.id), { ...noRules, special_categories });
      await harness.store(job, [{ email: 'a@x.org', ethnicity: 'Elf', age: 12 }]);
      expect((await harness.readJob(importId, job)).counts.status).toBe(status);
    }
  });

  it('counts the batches of a day together, because a job may stay open for years', async () => {
    const { harness, importId, job } = await begin({ ...tagged, max_new_segments: 2 });
    let days = 0;
    const deps = { ...harness.deps, clock: () => harness.deps.clock() + days * 86_400_000 };
    for (const [day, from, count] of [
      [0, 0, 2],
      [1.1, 2, 2],
      [1.5, 4, 1],
    ] as const) {
      days = day;
      await harness.send(job, tagsFrom(from, count));
      for (const message of harness.messages()) await importBatch(deps, message);
    }
    expect(await harness.readJob(importId, job)).toMatchObject({
      counts: { status: 'failed', completed: 4, unserializable: 1 },
    });
  });

  it('counts the batches of two workers together, so only one of them is stored', async () => {
    const { harness, importId, job } = await begin(tagged);
    await harness.send(job, tagsFrom(0, 150));
    await harness.send(job, tagsFrom(150, 150));
    await Promise.all(harness.messages().map((message) => harness.importBatch(message)));
    expect(await harness.readJob(importId, job)).toMatchObject({
      counts: { status: 'failed', completed: 150, unserializable: 150 },
    });
    expect(segmentsOf(harness)).toBe(150);
  });

  it('finishes a batch that was admitted before the job was stopped, whoever takes it up again', async () => {
    const { harness, importId, job } = await begin(tagged);
    await harness.send(job, tagsFrom(0, 150));
    const admitted = harness.firstMessage();
    const dying = {
      ...harness.deps,
      store: (): Promise<readonly RecordOutcome[]> => Promise.reject(new Error('killed')),
    };
    await expect(importBatch(dying, admitted)).rejects.toThrow('killed');
    await harness.store(job, tagsFrom(150, 150));
    await harness.importBatch(admitted);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'failed',
      completed: 150,
      unserializable: 150,
    });
  });

  it('does not refuse a batch that another worker has admitted in the meantime', async () => {
    const { harness, importId, job } = await begin({ ...tagged, max_new_segments: 1 });
    await harness.send(job, tagsFrom(0, 1));
    const message = harness.firstMessage();
    await harness.store(job, tagsFrom(1, 1));
    const { imports } = harness.deps;
    let calls = 0;
    const late: typeof imports = {
      ...imports,
      finishBatch: async (where, seen, result) => {
        calls += 1;
        if (calls === 1) await imports.updateBatch(where, seen, { admitted: true });
        return imports.finishBatch(where, seen, result);
      },
    };
    await importBatch({ ...harness.deps, imports: late }, message);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ completed: 2, unserializable: 0 });
  });

  it('ends the same wherever its workers die', async () => {
    const kills = await dyingAnywhere({
      begin: async (tick) => {
        const harness = tickingHarness(tick);
        const { id } = await harness.define({ ...tagged, max_new_segments: 3 });
        const { id: job } = await harness.openJob(id);
        for (const [from, count] of [
          [0, 3],
          [3, 1],
          [0, 1],
        ] as const)
          await harness.send(job, tagsFrom(from, count));
        return { harness, id, job };
      },
      run: ({ harness }, through) => harness.workOff(through),
      check: async ({ harness, id, job }, fatal) => {
        const { counts } = await harness.readJob(id, job);
        const ended = { status: 'failed', processing: 0, completed: 3 };
        expect(counts, `killed at operation ${fatal}`).toMatchObject(ended);
        expect([segmentsOf(harness), (await harness.people()).length]).toEqual([3, 3]);
      },
    });
    expect(kills).toBeGreaterThan(20);
  });

  it('allows corrected rows of a file as many new segments as the file left', async () => {
    const {
      harness,
      id,
      jobId: job,
    } = await ranFile('email,tags\na@x.org,one\nbad,wrong\n', { ...tagged, max_new_segments: 2 });
    const refused = { harness, importId: id, job };
    await retried(refused, (await download(refused)).replace('bad,wrong', 'b@x.org,two;three'));
    await harness.workOff();
    expect(await harness.readJob(id, job)).toMatchObject({
      counts: { status: 'complete-with-errors', completed: 1, unserializable: 1 },
      failure: null,
    });
    await retried(refused, (await download(refused)).replace('two;three', 'two'));
    await harness.workOff();
    expect((await harness.readJob(id, job)).counts).toMatchObject({
      status: 'complete',
      completed: 2,
    });
    expect(segmentsOf(harness)).toBe(2);
  });
});
