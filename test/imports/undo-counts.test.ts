import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { announceImport } from '../../shared/imports/announce/announce-import.ts';
import { type AcceptDeps, importData } from '../../shared/imports/batches/import-data.ts';
import { batchAnswer, batchBody } from '../../shared/imports/schemas/batch-schemas.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import { jobAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { retryImportJob } from '../../shared/imports/retry/retry-import-job.ts';
import { undoImportJob } from '../../shared/imports/undo/undo-import-job.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { announced, create } from './announced.ts';
import { begin, importHarness, request, type ImportHarness } from './import-harness.ts';
import { answered } from '../support/requests.ts';
import { asking as retrying, download, edited, fromFile } from './retry-harness.ts';
import { ask, asking, parkAll, undo } from './undo-steps.ts';

/** A file whose last row has a quote that is never closed: it fails, and the rows before it are in batches. */
const failedFile = async () => {
  const harness = importHarness();
  const { id: importId } = await create(harness, announced);
  const rows = 'email,first_name\na@x.org,Anna\nb@x.org,Bert\nc@x.org,Carl\nd@x.org,"Dora\n';
  const { reference, job } = await harness.upload(importId, rows);
  while (!(await harness.inspectFile(reference)).done);
  await harness.cut(reference);
  return { harness, importId, job, reference };
};

/** A job for batches that is complete, with one row. */
const complete = async () => {
  const begun = await begin();
  await begun.harness.store(begun.job, [{ email: 'a@x.org' }]);
  expect((await begun.harness.readJob(begun.importId, begun.job)).counts.status).toBe('complete');
  return begun;
};

const accept = (job: number, deps: AcceptDeps) => {
  const body = v.parse(batchBody, { name: 'b', import_job: job, records: [{ email: 'b@x.org' }] });
  return answered(importData(deps, request({}, {}, body)), batchAnswer);
};

const expectUnstored = async (harness: ImportHarness, importId: number, job: number): Promise<void> => {
  await harness.workOff();
  const after = await undo(harness, importId, job);
  expect(after.counts).toMatchObject({ ingested: 2, completed: 1, failed: 1, processing: 0 });
  expect((await harness.readErrors(importId, job)).errors).toMatchObject([{ code: 'undone' }]);
  expect(await harness.people()).toEqual([['', null]]);
};

const HOUR_MS = 3_600_000;

describe('the counts of a job that is undone', () => {
  it('are those that a client read just before, also when a batch is parked', async () => {
    const { harness, importId, job } = await begin();
    await harness.store(job, [{ email: 'a@x.org' }]);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ status: 'complete', ingested: 1 });
    await harness.send(job, [{ email: 'b@x.org' }, { email: 'c@x.org' }]);
    await parkAll(harness);
    const { counts } = await harness.readJob(importId, job);
    expect(counts).toMatchObject({ status: 'complete-with-errors', ingested: 3, failed: 2 });
    expect((await undo(harness, importId, job)).counts).toEqual(counts);
    // The index need not show later writes of others.
    harness.barrier.settled = false;
    expect((await harness.readJob(importId, job)).counts).toEqual(counts);
    expect((await harness.readErrors(importId, job)).errors).toMatchObject([
      { code: 'undone', message: 'The job was undone before 2 of its rows were stored.' },
    ]);
  });

  it('wait for workers that still have batches of a failed file', async () => {
    const { harness, importId, job } = await failedFile();
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ status: 'failed', processing: 3 });
    expect(await ask(harness, importId, job)).toMatchObject({ error: { code: 'job_running' } });
    await harness.workOff();
    const after = await undo(harness, importId, job);
    expect(after.counts).toMatchObject({ status: 'failed', processing: 0, completed: 3 });
    expect(after.undo?.people).toMatchObject({ removed: 3, changed: 0, unchanged: 0 });
  });

  it('contain a batch whose request had read the job before the undo was accepted', async () => {
    const { harness, importId, job } = await complete();
    const put: typeof harness.deps.work.put = async (...call) => {
      await answered(ask(harness, importId, job), jobAnswer);
      return harness.deps.work.put(...call);
    };
    await accept(job, { ...harness.deps, work: { put } });
    await expectUnstored(harness, importId, job);
  });

  it('contain a batch that was stored after the undo had read the counts', async () => {
    const { harness, importId, job } = await complete();
    const { imports } = harness.deps;
    const updateJob: typeof imports.updateJob = async (seen, update) => {
      if (update.undo) await accept(job, harness.deps);
      return imports.updateJob(seen, update);
    };
    const deps = { ...harness.deps, imports: { ...imports, updateJob } };
    await answered(undoImportJob(deps, asking(importId, job)), jobAnswer);
    await expectUnstored(harness, importId, job);
  });

  it('contain no corrected rows of a retry whose request had read the job before the undo was accepted', async () => {
    const place = await fromFile('email,first_name\na@x.org,A\nbad,B\n');
    const { harness, importId, job } = place;
    const csv = edited(await download(place), ([, name = '', ...rest]) => ['b@x.org', name, ...rest]);
    const put: typeof harness.deps.work.put = async (...call) => {
      await answered(ask(harness, importId, job), jobAnswer);
      return harness.deps.work.put(...call);
    };
    const work = { get: (key: string) => harness.work.get(key), put };
    expect(await retryImportJob({ ...harness.deps, work }, retrying(place, csv))).toMatchObject({
      error: { code: 'job_undone' },
    });
    expect((await undo(harness, importId, job)).counts).toMatchObject({ completed: 1, unserializable: 1 });
    expect((await harness.deps.imports.job(scope.id, job))?.phase).toBe('split');
  });
});

describe('the failure of a file that is undone', () => {
  it('is announced, and the repair starts no further workflow', async () => {
    const { harness, importId, job, reference } = await failedFile();
    const repairs = async (hours: number): Promise<void> => {
      for (let hour = 1; hour <= hours; hour += 1) await harness.repairAt(NOW + hour * HOUR_MS);
    };
    // The messages of its batches are slow, and the workflow of the file polls meanwhile.
    const held = harness.batches.takeBodies();
    harness.started.length = 0;
    expect((await announceImport(harness.deps, reference)).done).toBe(false);
    await repairs(2);
    expect(harness.started).toEqual([]);
    for (const message of held) await harness.importBatch(v.parse(batchMessage, message));
    await undo(harness, importId, job);
    expect((await announceImport(harness.deps, reference)).done).toBe(true);
    expect(harness.calls).toHaveLength(1);
    harness.started.length = 0;
    await repairs(30 * 24);
    expect(harness.started).toEqual([]);
    expect(harness.jobsWithTasks()).toEqual([]);
  });
});
