import { describe, expect, it } from 'vitest';
import { failFile, internalFailure } from '../../shared/imports/jobs/fail-import.ts';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { define, importWorld, readJob, upload, workOff } from './import-world.ts';

const file = 'email,first_name\na@x.org,A\nb@x.org,B\n';

describe('a file all of whose rows are stored', () => {
  it('is not failed because its last step could not look', async () => {
    const world = importWorld();
    const { id } = await define(world);
    const { reference, job } = await upload(world, id, file);
    await inspectFile(world.deps, reference);
    await splitFile(world.deps, reference);
    await workOff(world);
    // The workflow has given up: it calls this in the end.
    await failFile(world.deps, reference, internalFailure);
    expect(await readJob(world, id, job)).toMatchObject({
      failure: null,
      counts: { status: 'complete', completed: 2 },
    });
  });
});

describe('a file that was not cut to its end', () => {
  it('is failed when its workflow gives up', async () => {
    const world = importWorld();
    const { id } = await define(world);
    const { reference, job } = await upload(world, id, file);
    await inspectFile(world.deps, reference);
    await failFile(world.deps, reference, internalFailure);
    expect(await readJob(world, id, job)).toMatchObject({
      failure: { code: 'internal_error' },
      counts: { status: 'failed' },
    });
  });
});
