import { describe, expect, it } from 'vitest';
import { deleteImport } from '../../shared/imports/definitions/delete-import.ts';
import type { ImportRepository } from '../../shared/imports/repository/repository.ts';
import { begin, request } from './import-harness.ts';

const inUse = { ok: false, error: { status: 409, code: 'in_use' } };

describe('the deletion of a definition with jobs', () => {
  it('is refused while a job of it has not ended', async () => {
    const { harness, importId, job } = await begin();
    expect(await harness.remove(importId), 'an empty job').toMatchObject(inUse);
    await harness.send(job, [{ email: 'a@x.org' }]);
    expect(await harness.remove(importId), 'a queued batch').toMatchObject(inUse);
    await harness.workOff();
    harness.barrier.settled = false;
    expect(await harness.remove(importId), 'an import not yet visible').toMatchObject(inUse);
    harness.barrier.settled = true;
    const { job: file } = await harness.upload(importId, 'email,first_name\na@x.org,A\n');
    expect(await harness.remove(importId), 'a file being read').toMatchObject(inUse);
    await harness.cancel(importId, file);
    expect(await harness.remove(importId)).toMatchObject({ ok: true });
  });

  it('is refused with the names of the jobs that run, at most twenty, the newest first', async () => {
    const { harness, importId, job } = await begin();
    const { id: newer } = await harness.openJob(importId);
    expect(await harness.remove(importId)).toMatchObject({
      error: {
        detail: `Is in use by job "job" (${newer}) and 1 more; see errors. Wait for the end of each job, or cancel it.`,
        errors: [newer, job].map((id) => ({
          pointer: '',
          code: 'in_use',
          detail: `Is in use by job "job" (${id}).`,
        })),
      },
    });
    for (let more = 0; more < 30; more += 1) await harness.openJob(importId);
    const refused = await harness.remove(importId);
    const problem = refused.ok ? undefined : refused.error;
    expect(problem?.errors).toHaveLength(20);
    expect(problem?.detail).toContain(' and at least 19 more; see errors. ');
  });

  it('is refused after the first page of jobs with a running job', async () => {
    const { harness, importId } = await begin();
    for (let ended = 0; ended < 120; ended += 1)
      await harness.cancel(importId, (await harness.openJob(importId)).id);
    const { id: newest } = await harness.openJob(importId);
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
      await harness.cancel(importId, (await harness.openJob(importId)).id);
    expect(await harness.remove(importId)).toMatchObject(inUse);
    await harness.cancel(importId, job);
    expect(await harness.remove(importId)).toMatchObject({ ok: true });
  });
});
