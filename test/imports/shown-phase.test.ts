import { describe, expect, it } from 'vitest';
import { cancelImportJob } from '../../shared/imports/jobs/cancel-import-job.ts';
import { jobAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { shownPhaseOf } from '../../shared/imports/schemas/shown-phase.ts';
import { undoImportJob } from '../../shared/imports/undo/undo-import-job.ts';
import { scope } from '../profiles/harness.ts';
import { begin, type ImportHarness, request, withDefinition } from './import-harness.ts';
import { answered } from '../support/requests.ts';

/** The phase of a job as its route shows it; the list of jobs shows the same. */
const phaseOf = async (harness: ImportHarness, importId: number, job: number) => {
  const { phase } = await harness.readJob(importId, job);
  const jobs = await harness.listJobs(importId);
  expect(jobs.find(({ id }) => id === job)?.phase).toBe(phase);
  return phase;
};

describe('the phase of a job', () => {
  it('names each step of a file, from the wait for the upload to the undo', async () => {
    const { harness, id: importId } = await withDefinition();
    const bytes = Buffer.from('email,first_name\na@x.org,Ann\n');
    const { job, key, reference } = await harness.openUpload(importId, bytes.length);
    const phases: string[] = [];
    const note = async () => void phases.push(await phaseOf(harness, importId, job));
    await note();
    await harness.startImport(await harness.put(key, bytes));
    await note();
    await harness.inspectFile(reference);
    await note();
    await harness.splitFile(reference);
    await note();
    harness.barrier.settled = false;
    await harness.workOff();
    await note();
    harness.barrier.settled = true;
    await harness.settleImport(reference);
    await note();
    await undoImportJob(harness.deps, request({ import_id: importId, job_id: job }, {}, undefined));
    await note();
    expect(phases).toEqual([
      'waiting_for_file',
      'inspecting',
      'reading',
      'importing',
      'settling',
      'complete',
      'undoing',
    ]);
  });

  it('is undone once the undo has ended', async () => {
    const { harness, id: importId } = await withDefinition();
    const { id } = await harness.runFile(importId, 'email,first_name\na@x.org,Ann\n');
    await undoImportJob(harness.deps, request({ import_id: importId, job_id: id }, {}, undefined));
    const job = await harness.deps.imports.job(scope.id, id);
    if (!job?.undo || !job.final) throw new Error('the job was not undone');
    expect(shownPhaseOf({ ...job, undo: { ...job.undo, finished: 5 } }, job.final.progress)).toBe('undone');
  });

  it('names the steps of a job for batches', async () => {
    const { harness, importId, job } = await begin();
    const note = () => phaseOf(harness, importId, job);
    expect(await note()).toBe('waiting_for_batches');
    expect((await harness.send(job, [{ email: 'a@x.org' }])).import_job.phase).toBe('importing');
    harness.barrier.settled = false;
    await harness.workOff();
    expect(await note()).toBe('settling');
    harness.barrier.settled = true;
    expect(await note()).toBe('complete');
    await harness.send(job, [{ email: 'b@x.org' }]);
    expect(await note()).toBe('importing');
  });

  it('is cancelling until the workers have finished what they had begun', async () => {
    const { harness, importId, job } = await begin();
    await harness.send(job, [{ email: 'a@x.org' }]);
    const [batch] = await harness.deps.imports.batches(scope.id, job);
    if (!batch) throw new Error('no batch');
    await harness.deps.imports.updateBatch({ property: scope.id, id: job }, batch, { begun: 1 });
    const path = request({ import_id: importId, job_id: job }, {}, undefined);
    expect((await answered(cancelImportJob(harness.deps, path), jobAnswer)).phase).toBe('cancelling');
    await harness.workOff();
    expect(await phaseOf(harness, importId, job)).toBe('cancelled');
  });

  it('is failed for a file that cannot be read', async () => {
    const { harness, id } = await withDefinition();
    expect((await harness.runFile(id, '%PDF-1.7')).phase).toBe('failed');
  });
});
