import { expect, it } from 'vitest';
import type { BatchDeps } from '../../shared/imports/batches/process-slices.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { gate } from '../support/table-view.ts';
import { begin, simpleDefinition } from './import-harness.ts';
import { storingWithoutTags } from './import-world.ts';

it('a worker that begins while another one admits the batch is noticed: no warning of a row is lost', async () => {
  const { harness, importId, job } = await begin({ ...simpleDefinition, max_new_segments: 100 });
  const { deps } = harness;
  const store = storingWithoutTags(harness);
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: ['rare'] }];
  const { batch_job_uuid: batch } = await harness.send(job, [{ email: 'a@x.org', tags }]);
  const message = { v: 1, property: 7, job, batch } as const;
  const [admits, stored] = [gate(), gate()];
  const admitted = Promise.withResolvers<undefined>();
  const { imports } = deps;
  // The first worker waits before it admits the batch, and before it stores the row.
  const first: BatchDeps = {
    ...deps,
    store: async (...slice) => {
      await stored.pass();
      return store(...slice);
    },
    imports: {
      ...imports,
      updateBatch: async (of, seen, update) => {
        if (update.admitted) await admits.pass();
        const isUpdated = await imports.updateBatch(of, seen, update);
        if (update.admitted) admitted.resolve(undefined);
        return isUpdated;
      },
    },
  };
  // The second worker has read the batch, and is about to mark it as repeated when the first one admits it.
  const second: BatchDeps = {
    ...deps,
    store,
    imports: {
      ...imports,
      updateBatch: async (of, seen, update) => {
        if (update.repeated) {
          admits.open();
          await admitted.promise;
        }
        return imports.updateBatch(of, seen, update);
      },
      finishBatch: () => Promise.reject(new Error('killed')),
    },
  };
  const slow = importBatch(first, message);
  await admits.reached;
  // It stores the row, and dies before its result.
  await expect(importBatch(second, message)).rejects.toThrow('killed');
  await stored.reached;
  stored.open();
  await slow;
  expect((await harness.readJob(importId, job)).counts).toMatchObject({ status: 'complete', completed: 1 });
  expect((await harness.readWarnings(importId, job)).warnings).toMatchObject([{ code: 'segment_limit' }]);
});
