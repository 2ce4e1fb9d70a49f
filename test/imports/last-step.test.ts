import { describe, expect, it } from 'vitest';
import { failFile, internalFailure } from '../../shared/imports/jobs/fail-import.ts';
import { scope } from '../profiles/harness.ts';
import { withDefinition } from './import-harness.ts';

const file = 'email,first_name\na@x.org,A\nb@x.org,B\n';

describe('a file all of whose rows are stored', () => {
  it('is not failed because its last step could not look', async () => {
    const { harness, id } = await withDefinition();
    const { reference, job } = await harness.uploadInspected(id, file);
    await harness.splitFile(reference);
    await harness.workOff();
    // The workflow has given up: it calls this in the end.
    await failFile(harness.deps, reference, internalFailure);
    expect(await harness.readJob(id, job)).toMatchObject({
      failure: null,
      counts: { status: 'complete', completed: 2 },
    });
  });
});

describe('the sizes of segments', () => {
  const settled = async (more: object) => {
    const { harness, id } = await withDefinition();
    const { reference, job } = await harness.upload(id, file, 'visitors.csv', more);
    await harness.inspectFile(reference);
    await harness.splitFile(reference);
    await harness.settleImport(reference);
    expect(harness.measured).toEqual([]);
    await harness.workOff();
    harness.barrier.settled = false;
    await harness.settleImport(reference);
    expect(harness.measured).toEqual([]);
    harness.barrier.settled = true;
    // Somebody reads that the job is complete before the step looks.
    expect((await harness.readJob(id, job)).counts.status).toBe('complete');
    expect(await harness.settleImport(reference)).toMatchObject({ done: true });
    return harness.measured;
  };

  it('are measured when all rows of a file are visible', async () => {
    expect(await settled({})).toEqual([scope.id]);
  });

  it('are not measured after a dry run', async () => {
    expect(await settled({ dry_run: true })).toEqual([]);
  });
});

describe('a file that was not cut to its end', () => {
  it('is failed when its workflow gives up', async () => {
    const { harness, id } = await withDefinition();
    const { reference, job } = await harness.uploadInspected(id, file);
    await failFile(harness.deps, reference, internalFailure);
    expect(await harness.readJob(id, job)).toMatchObject({
      failure: { code: 'internal_error' },
      counts: { status: 'failed' },
    });
  });
});
