import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { batchMessage } from '../../shared/imports/model/job-messages.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { begin, type ImportWorld, people, readErrors, readJob, request, send } from './import-world.ts';

const parseMessage = (body: string) => v.parse(batchMessage, JSON.parse(body));

/** A batch accepted some milliseconds later than all others. */
const importDataAt = async (world: ImportWorld, job: number, records: readonly unknown[], later: number) => {
  const asked = request({}, {}, { name: 'b', import_job: job, records: [...records] });
  return importData(world.deps, { ...asked, now: asked.now + later });
};

describe('a queued batch', () => {
  it('delivered five times counts once', async () => {
    const { world, importId, job } = await begin();
    const { batch_job_uuid: batch } = await send(world, job, [{ email: 'a@x.org' }, {}]);
    for (let delivery = 0; delivery < 5; delivery += 1)
      await importBatch(world.deps, { v: 1, property: 7, job, batch });
    expect((await readJob(world, importId, job)).counts).toMatchObject({
      ingested: 2,
      completed: 1,
      unserializable: 1,
    });
    expect((await readErrors(world, importId, job)).errors).toHaveLength(1);
  });

  it('worked off by two at once counts once, and one report counts', async () => {
    const { world, importId, job } = await begin();
    const { batch_job_uuid: batch } = await send(world, job, [{ email: 'a@x.org' }, {}]);
    const message = { v: 1, property: 7, job, batch } as const;
    await Promise.all([importBatch(world.deps, message), importBatch(world.deps, message)]);
    // One attempt per worker, and a second attempt of the first worker, because it was not alone.
    expect(world.work.keys().filter((key) => key.startsWith('refused/')).length).toBeGreaterThan(1);
    expect((await readJob(world, importId, job)).counts).toMatchObject({
      ingested: 2,
      completed: 1,
      unserializable: 1,
    });
    expect((await readErrors(world, importId, job)).errors).toHaveLength(1);
  });

  it('keeps its stamps when it comes again after newer values', async () => {
    const { world, job } = await begin();
    const { batch_job_uuid: batch } = await send(world, job, [{ email: 'a@x.org', first_name: 'Old' }]);
    await importDataAt(world, job, [{ email: 'a@x.org', first_name: 'New' }], 5_000);
    const messages = world.batches.take();
    expect(messages).toHaveLength(2);
    for (const { body } of [...messages].reverse()) await importBatch(world.deps, parseMessage(body));
    expect(await people(world)).toEqual([['a@x.org', 'New']]);
    await importBatch(world.deps, { v: 1, property: 7, job, batch });
    expect(await people(world)).toEqual([['a@x.org', 'New']]);
  });

  it('without its records, or without itself, is not dropped', async () => {
    const { world, job } = await begin();
    const lost = { v: 1, property: 7, job, batch: 'nobody' } as const;
    await expect(importBatch(world.deps, lost)).rejects.toThrow('not exist');
  });
});
