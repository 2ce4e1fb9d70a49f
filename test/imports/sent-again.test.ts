import { beforeEach, describe, expect, it } from 'vitest';
import { claimVersion, leaveVersion } from '../../shared/imports/files/file-claims.ts';
import { startImport } from '../../shared/imports/files/start-import.ts';
import { fileFailure, loseFile } from '../../shared/imports/jobs/fail-import.ts';
import { scope } from '../profiles/harness.ts';
import { frozenAt } from '../support/frozen.ts';
import { dropKey, sendFile } from './drops.ts';
import { importHarness, type ImportHarness, referenceOf } from './import-harness.ts';
import { parkAll, undo } from './undo-steps.ts';

let harness: ImportHarness;
let id: number;
let now = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
const text = 'email,first_name\na@x.org,A\nb@x.org,B\n';

beforeEach(async () => {
  harness = importHarness();
  harness.uploads.clock = () => now;
  ({ id } = await harness.define());
});

const key = () => dropKey(id, 'people.csv');
const jobs = (): readonly number[] =>
  [...new Set(harness.started)].map((name) => Number(name.split('-').at(-1)));

describe('a file that a client sends again with the same bytes, which has another ETag', () => {
  it('belongs to the job that still reads it, at each point of the reading', async () => {
    const again = async () => {
      now += MINUTE;
      await harness.startImport(await sendFile(harness, key(), text));
    };
    await again();
    const [job = 0] = jobs();
    const reference = referenceOf(id, job);
    await again();
    await harness.inspectFile(reference);
    await again();
    await harness.splitFile(reference);
    await again();
    await harness.workOff();
    await harness.runJob(id, job);
    expect(jobs()).toEqual([job]);
    expect(await harness.readJob(id, job)).toMatchObject({
      failure: null,
      counts: { status: 'complete', completed: 2 },
    });
    expect(await harness.people()).toHaveLength(2);
  });

  it('makes a second job after the first job has ended', async () => {
    await harness.startImport(await sendFile(harness, key(), text));
    await harness.runJob(id, jobs()[0] ?? 0);
    now += MINUTE;
    await harness.startImport(await sendFile(harness, key(), text));
    expect(jobs()).toHaveLength(2);
    await harness.runJob(id, jobs()[1] ?? 0);
    for (const job of jobs())
      expect((await harness.readJob(id, job)).counts).toMatchObject({ status: 'complete' });
  });

  it('makes a second job after the first job was undone, which stays as it was', async () => {
    await harness.startImport(await sendFile(harness, key(), text));
    const [job = 0] = jobs();
    const reference = referenceOf(id, job);
    await harness.inspectFile(reference);
    await harness.splitFile(reference);
    await parkAll(harness);
    await undo(harness, id, job);
    now += MINUTE;
    harness.started.length = 0;
    await harness.startImport(await sendFile(harness, key(), text));
    expect(jobs()).not.toEqual([job]);
    // A worker that was frozen finds that the file was replaced.
    await loseFile(harness.deps, reference, fileFailure('file_changed', 'The file was replaced.'));
    expect((await harness.readJob(id, job)).counts.status).toBe('complete-with-errors');
  });

  it('makes one job when both events come at once', async () => {
    const first = await sendFile(harness, key(), text);
    const second = await sendFile(harness, key(), text);
    await Promise.all([harness.startImport(second), harness.startImport(first)]);
    expect(jobs()).toHaveLength(1);
    await harness.runJob(id, jobs()[0] ?? 0);
    expect((await harness.readJob(id, jobs()[0] ?? 0)).counts).toMatchObject({ status: 'complete' });
  });

  it('makes no job that must fail when its first event comes after the second file', async () => {
    const first = await sendFile(harness, key(), text);
    now += MINUTE;
    const second = await sendFile(harness, key(), text);
    await harness.startImport(first);
    await harness.startImport(second);
    expect([jobs().length, harness.ignored]).toEqual([1, ['gone']]);
  });

  it('makes a job of its own under another name', async () => {
    await harness.startImport(await sendFile(harness, key(), text));
    await harness.startImport(await sendFile(harness, dropKey(id, 'other.csv'), text));
    expect(jobs()).toHaveLength(2);
  });
});

describe('a version that the reconciliation had left alone', () => {
  it('gets one job when two events tell of it at once', async () => {
    const { deps } = harness;
    const object = { bucket: 'uploads', key: key(), etag: '"1"', size: 10, checksum: null } as const;
    const file = {
      ...{ property: scope.id, import: id, revision: 1, name: 'people.csv', dryRun: false },
      ...{ arrived: '2026-01-15T12:00:00Z', object },
    };
    await leaveVersion(deps, { property: scope.id, key: object.key, etag: object.etag });
    let fast = 0;
    const slow = await frozenAt(deps.table, (operation) => operation === 'update').during(
      (view) => claimVersion({ ...deps, table: view }, file),
      async () => (fast = await claimVersion(deps, file)),
    );
    expect(slow).toBe(fast);
  });
});

describe('a file that is replaced by other bytes of the same size', () => {
  it('fails its job', async () => {
    await harness.startImport(await sendFile(harness, key(), text));
    await sendFile(harness, key(), text.replaceAll('x.org', 'y.org'));
    const [job = 0] = jobs();
    await harness.runJob(id, job);
    expect(await harness.readJob(id, job)).toMatchObject({ failure: { code: 'file_changed' } });
  });
});

describe('an event without an ETag', () => {
  it('starts the job of the present file once', async () => {
    const event = await sendFile(harness, key(), text);
    const { etag, ...detail } = event.detail;
    expect(etag).toBeDefined();
    await harness.startImport({ ...event, detail });
    await harness.startImport(event);
    expect(jobs()).toHaveLength(1);
    await harness.runJob(id, jobs()[0] ?? 0);
    expect((await harness.readJob(id, jobs()[0] ?? 0)).counts).toMatchObject({ completed: 2 });
  });
});

describe('an event whose first delivery died after it had claimed a job for the file', () => {
  it('starts the job although the file was replaced since, so that the job ends', async () => {
    const event = await sendFile(harness, key(), text);
    const dying = { ...harness.deps, workflow: { start: () => Promise.reject(new Error('killed')) } };
    await expect(startImport(dying, event)).rejects.toThrow('killed');
    now += MINUTE;
    await sendFile(harness, key(), 'email,first_name\nnew@x.org,N\n');
    await harness.startImport(event);
    const [job = 0] = jobs();
    await harness.runJob(id, job);
    expect(await harness.readJob(id, job)).toMatchObject({ failure: { code: 'file_changed' } });
  });
});
