import { describe, expect, it } from 'vitest';
import { deleteImport } from '../../shared/imports/definitions/delete-import.ts';
import { cancelImportJob } from '../../shared/imports/jobs/cancel-import-job.ts';
import type { ImportRepository } from '../../shared/imports/repository/repository.ts';
import { begin, type ImportHarness, openJob, request, send, upload, workOff } from './import-harness.ts';

const inUse = { ok: false, error: { status: 409, code: 'in_use' } };

const remove = (harness: ImportHarness, id: number) =>
  deleteImport(harness.deps, request({ import_id: id }, {}, undefined));
const cancel = (harness: ImportHarness, id: number, job: number) =>
  cancelImportJob(harness.deps, request({ import_id: id, job_id: job }, {}, undefined));

describe('the deletion of a definition with jobs', () => {
  it('is refused while a job of it has not ended', async () => {
    const { harness, importId, job } = await begin();
    expect(await remove(harness, importId), 'an empty job').toMatchObject(inUse);
    await send(harness, job, [{ email: 'a@x.org' }]);
    expect(await remove(harness, importId), 'a queued batch').toMatchObject(inUse);
    await workOff(harness);
    harness.barrier.settled = false;
    expect(await remove(harness, importId), 'an import not yet visible').toMatchObject(inUse);
    harness.barrier.settled = true;
    const { job: file } = await upload(harness, importId, 'email,first_name\na@x.org,A\n');
    expect(await remove(harness, importId), 'a file being read').toMatchObject(inUse);
    await cancel(harness, importId, file);
    expect(await remove(harness, importId)).toMatchObject({ ok: true });
  });

  it('is refused with the names of the jobs that run, at most twenty, the newest first', async () => {
    const { harness, importId, job } = await begin();
    const { id: newer } = await openJob(harness, importId);
    expect(await remove(harness, importId)).toMatchObject({
      error: {
        detail: `Is in use by job "job" (${newer}) and 1 more; see errors. Wait for the end of each job, or cancel it.`,
        errors: [newer, job].map((id) => ({
          pointer: '',
          code: 'in_use',
          detail: `Is in use by job "job" (${id}).`,
        })),
      },
    });
    for (let more = 0; more < 30; more += 1) await openJob(harness, importId);
    const refused = await remove(harness, importId);
    const problem = refused.ok ? undefined : refused.error;
    expect(problem?.errors).toHaveLength(20);
    expect(problem?.detail).toContain(' and at least 19 more; see errors. ');
  });

  it('is refused after the first page of jobs with a running job', async () => {
    const { harness, importId } = await begin();
    for (let ended = 0; ended < 120; ended += 1)
      await cancel(harness, importId, (await openJob(harness, importId)).id);
    const { id: newest } = await openJob(harness, importId);
    const calls = { pages: 0, tallies: 0 };
    const imports: ImportRepository = {
      ...harness.deps.imports,
      jobs: (...page) => {
        calls.pages += 1;
        return harness.deps.imports.jobs(...page);
      },
      tallies: (...job) => {
        calls.tallies += 1;
        return harness.deps.imports.tallies(...job);
      },
    };
    const refused = await deleteImport(
      { ...harness.deps, imports },
      request({ import_id: importId }, {}, undefined),
    );
    expect(refused).toMatchObject({
      error: {
        detail: `Is in use by job "job" (${newest}). Wait for the end of each job, or cancel it.`,
      },
    });
    expect(calls.pages).toBe(1);
    expect(calls.tallies).toBeLessThanOrEqual(100);
  });

  it('is refused for a job among hundreds that have ended', async () => {
    const { harness, importId, job } = await begin();
    for (let more = 0; more < 250; more += 1)
      await cancel(harness, importId, (await openJob(harness, importId)).id);
    expect(await remove(harness, importId)).toMatchObject(inUse);
    await cancel(harness, importId, job);
    expect(await remove(harness, importId)).toMatchObject({ ok: true });
  });
});
