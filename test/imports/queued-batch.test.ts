import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import { begin, type ImportHarness, request } from './import-harness.ts';

const parseMessage = (body: string) => v.parse(batchMessage, JSON.parse(body));

/** A batch accepted some milliseconds later than all others. */
const importDataAt = async (
  harness: ImportHarness,
  job: number,
  records: readonly unknown[],
  later: number,
) => {
  const asked = request({}, {}, { name: 'b', import_job: job, records: [...records] });
  return importData(harness.deps, { ...asked, now: asked.now + later });
};

describe('a queued batch', () => {
  it('delivered five times counts once', async () => {
    const { harness, importId, job } = await begin();
    const { batch_job_uuid: batch } = await harness.send(job, [{ email: 'a@x.org' }, {}]);
    for (let delivery = 0; delivery < 5; delivery += 1)
      await harness.importBatch({ v: 1, property: 7, job, batch });
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      ingested: 2,
      completed: 1,
      unserializable: 1,
    });
    expect((await harness.readErrors(importId, job)).errors).toHaveLength(1);
  });

  it('worked off by two at once counts once, and one report counts', async () => {
    const { harness, importId, job } = await begin();
    const { batch_job_uuid: batch } = await harness.send(job, [{ email: 'a@x.org' }, {}]);
    const message = { v: 1, property: 7, job, batch } as const;
    await Promise.all([harness.importBatch(message), harness.importBatch(message)]);
    // One attempt per worker, and a second attempt of the first worker, because it was not alone.
    expect(harness.work.keys().filter((key) => key.startsWith('refused/')).length).toBeGreaterThan(1);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      ingested: 2,
      completed: 1,
      unserializable: 1,
    });
    expect((await harness.readErrors(importId, job)).errors).toHaveLength(1);
  });

  it('keeps its stamps when it comes again after newer values', async () => {
    const { harness, job } = await begin();
    const { batch_job_uuid: batch } = await harness.send(job, [{ email: 'a@x.org', first_name: 'Old' }]);
    await importDataAt(harness, job, [{ email: 'a@x.org', first_name: 'New' }], 5_000);
    const messages = harness.batches.take();
    expect(messages).toHaveLength(2);
    for (const { body } of [...messages].reverse()) await harness.importBatch(parseMessage(body));
    expect(await harness.people()).toEqual([['a@x.org', 'New']]);
    await harness.importBatch({ v: 1, property: 7, job, batch });
    expect(await harness.people()).toEqual([['a@x.org', 'New']]);
  });

  it('without its records, or without itself, is not dropped', async () => {
    const { harness, job } = await begin();
    const lost = { v: 1, property: 7, job, batch: 'nobody' } as const;
    await expect(harness.importBatch(lost)).rejects.toThrow('not exist');
  });
});
