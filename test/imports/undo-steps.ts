import { expect } from 'vitest';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { jobAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { runUndo } from '../../shared/imports/undo/run-undo.ts';
import { undoImportJob } from '../../shared/imports/undo/undo-import-job.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { NOW } from '../profiles/harness.ts';
import { referencesHarness } from '../references/harness.ts';
import { request, type ImportHarness, referenceOf } from './import-harness.ts';
import { answered } from '../support/requests.ts';

/** The request for the undo of a job. */
export const asking = (importId: number, job: number, now = NOW) => ({
  ...request({ import_id: importId, job_id: job }, {}, undefined),
  now,
});

/** Asks for the undo of a job. */
export const ask = (harness: ImportHarness, importId: number, job: number, now?: number) =>
  undoImportJob(harness.deps, asking(importId, job, now));

/** What the step of the workflow of undos needs. */
export const undoDeps = (harness: ImportHarness) => {
  const { referrers } = referencesHarness(harness.table);
  return { ...harness.deps, ...harness.profileDeps, ids: systemIds, referrers };
};

/** One call of the step of the workflow. */
export const step = (harness: ImportHarness, importId: number, job: number) =>
  runUndo(undoDeps(harness), referenceOf(importId, job));

/** Undoes a job as the route and its workflow do; answers the job. */
export const undo = async (harness: ImportHarness, importId: number, job: number) => {
  await answered(ask(harness, importId, job), jobAnswer);
  for (let calls = 0; calls < 20; calls += 1) if ((await step(harness, importId, job)).done) break;
  return harness.readJob(importId, job);
};

/** Fails all deliveries of the queued batches, so that they are parked. */
export const parkAll = async (harness: ImportHarness): Promise<void> => {
  const broken = { ...harness.deps, store: () => Promise.reject(new Error('broken')) };
  for (const message of harness.messages())
    await expect(importBatch(broken, message, () => true)).rejects.toThrow('broken');
};
