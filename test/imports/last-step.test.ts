import { describe, expect, it } from 'vitest';
import { failFile, internalFailure } from '../../shared/imports/jobs/fail-import.ts';
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
