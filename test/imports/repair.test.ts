import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { announceImport } from '../../shared/imports/announce/announce-import.ts';
import { limits } from '../../shared/config/limits.ts';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { cancelImportJob } from '../../shared/imports/jobs/cancel-import-job.ts';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { repairImports } from '../../shared/imports/jobs/repair-imports.ts';
import { keys } from '../../shared/table/keys.ts';
import {
  begin,
  type ImportHarness,
  openJob,
  people,
  readErrors,
  readJob,
  request,
  runFile,
  send,
  upload,
  withDefinition,
  workOff,
} from './import-harness.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { NOW } from '../profiles/harness.ts';

const HOUR = 3_600_000;
const { maxReceiveCount } = limits.queues;

/** The repair as it runs some hours later. */
const repairAfter = (harness: ImportHarness, hours: number): Promise<number> =>
  repairImports({ ...harness.deps, clock: () => NOW + hours * HOUR }, () => true);

const failing = (harness: ImportHarness) => ({
  ...harness.deps,
  store: () => Promise.reject(new Error('the table is away')),
});

/** Delivers everything queued to a worker that fails, as often as the queue does. */
const exhaust = async (harness: ImportHarness) => {
  const messages = harness.batches.takeBodies().map((body) => v.parse(batchMessage, body));
  for (const message of messages)
    for (let attempt = 1; attempt <= maxReceiveCount; attempt += 1)
      await expect(importBatch(failing(harness), message, () => attempt === maxReceiveCount)).rejects.toThrow(
        'away',
      );
  return messages;
};

describe('a batch whose sender died before it was queued', () => {
  const lost = async () => {
    const begun = await begin();
    const { harness, job } = begun;
    const asked = request({}, {}, { name: 'b', import_job: job, records: [{ email: 'a@x.org' }] });
    const dying = { ...harness.deps, batches: { send: () => Promise.reject(new Error('killed')) } };
    await expect(importData(dying, asked)).rejects.toThrow('killed');
    return begun;
  };

  it('is queued again after a while, and stored', async () => {
    const { harness, importId, job } = await lost();
    expect(await repairAfter(harness, 1)).toBe(0);
    expect(await repairAfter(harness, 3)).toBe(1);
    await workOff(harness);
    expect((await readJob(harness, importId, job)).counts).toMatchObject({
      status: 'complete',
      completed: 1,
    });
    expect(await repairAfter(harness, 6)).toBe(0);
  });

  it('is not queued at every look', async () => {
    const { harness } = await lost();
    expect([
      await repairAfter(harness, 3),
      await repairAfter(harness, 4),
      await repairAfter(harness, 6),
    ]).toEqual([1, 0, 1]);
  });

  it('is left alone once its job is cancelled', async () => {
    const { harness, importId, job } = await lost();
    await cancelImportJob(harness.deps, request({ import_id: importId, job_id: job }, {}, undefined));
    expect(await repairAfter(harness, 3)).toBe(0);
  });
});

describe('a batch that cannot be worked off', () => {
  it('is parked by its last delivery; the job ends with errors and says so, until a redrive', async () => {
    const { harness, importId, job } = await begin();
    await send(harness, job, [{ email: 'a@x.org' }, { email: 'b@x.org' }]);
    const [message] = await exhaust(harness);
    for (let look = 0; look < 2; look += 1) {
      const { counts, finished } = await readJob(harness, importId, job);
      expect(counts).toMatchObject({
        status: 'complete-with-errors',
        ingested: 2,
        serialized: 2,
        processing: 0,
        completed: 0,
        failed: 2,
      });
      expect(finished).not.toBeNull();
    }
    const [told] = (await readErrors(harness, importId, job)).errors;
    expect(told).toMatchObject({ row: null, code: 'parked' });
    expect(told?.message).toMatch(/^2 rows /);
    if (message) await importBatch(harness.deps, message);
    expect((await readJob(harness, importId, job)).counts).toMatchObject({
      status: 'complete',
      completed: 2,
    });
    expect((await readErrors(harness, importId, job)).errors).toEqual([]);
    expect(await people(harness)).toHaveLength(2);
  });

  it('is not parked by an earlier delivery, nor when another worker was quicker', async () => {
    const { harness, importId, job } = await begin();
    await send(harness, job, [{ email: 'a@x.org' }]);
    const [message] = harness.batches.takeBodies().map((body) => v.parse(batchMessage, body));
    if (!message) throw new Error('nothing is queued');
    await expect(importBatch(failing(harness), message)).rejects.toThrow('away');
    expect((await readJob(harness, importId, job)).counts).toMatchObject({ processing: 1 });
    const overtaken = {
      ...harness.deps,
      store: async () => {
        await importBatch(harness.deps, message);
        throw new Error('the table is away');
      },
    };
    await expect(importBatch(overtaken, message, () => true)).rejects.toThrow('away');
    expect((await readJob(harness, importId, job)).counts).toMatchObject({
      status: 'complete',
      completed: 1,
    });
  });

  it('is not parked by the repair while workers try', async () => {
    const { harness, importId, job } = await begin();
    await send(harness, job, [{ email: 'a@x.org' }]);
    const [message] = harness.batches.takeBodies().map((body) => v.parse(batchMessage, body));
    if (!message) throw new Error('nothing is queued');
    const busy = (hours: number) => ({
      ...harness.deps,
      clock: () => NOW + hours * HOUR,
      store: () => Promise.reject(new UnavailableError('the table throttles')),
    });
    for (const hours of [0, 2, 4, 6]) {
      await expect(importBatch(busy(hours), message)).rejects.toThrow('throttles');
      expect(await repairAfter(harness, hours + 1)).toBe(0);
    }
    expect((await readJob(harness, importId, job)).counts).toMatchObject({ processing: 1 });
    await importBatch(harness.deps, message);
    expect((await readJob(harness, importId, job)).counts).toMatchObject({ status: 'complete' });
  });

  it('and kills its last worker without a word is parked by the repair', async () => {
    const { harness, importId, job } = await begin();
    await send(harness, job, [{ email: 'a@x.org' }]);
    const [message] = harness.batches.takeBodies().map((body) => v.parse(batchMessage, body));
    if (!message) throw new Error('nothing is queued');
    await expect(importBatch(failing(harness), message)).rejects.toThrow('away');
    expect(await repairAfter(harness, 2.9)).toBe(0);
    expect(await repairAfter(harness, 3.1)).toBe(1);
    expect((await readJob(harness, importId, job)).counts).toMatchObject({ status: 'complete-with-errors' });
    expect(await repairAfter(harness, 9)).toBe(0);
    await importBatch(harness.deps, message);
    expect((await readJob(harness, importId, job)).counts).toMatchObject({
      status: 'complete',
      completed: 1,
    });
  });

  it('stays unstored when its job was cancelled before the redrive', async () => {
    const { harness, importId, job } = await begin();
    await send(harness, job, [{ email: 'a@x.org' }]);
    const [message] = await exhaust(harness);
    await cancelImportJob(harness.deps, request({ import_id: importId, job_id: job }, {}, undefined));
    if (message) await importBatch(harness.deps, message);
    expect((await readJob(harness, importId, job)).counts).toMatchObject({ status: 'cancelled', failed: 1 });
    expect(await people(harness)).toEqual([]);
  });
});

describe('the list of watched jobs', () => {
  const listed = async (harness: ImportHarness): Promise<readonly number[]> =>
    (await harness.deps.watched.all()).map(({ job }) => job);

  it('holds a job from its first batch until it has been quiet for a day', async () => {
    const { harness, job } = await begin();
    expect(await listed(harness)).toEqual([]);
    await send(harness, job, [{ email: 'a@x.org' }]);
    await workOff(harness);
    await repairAfter(harness, 20);
    expect(await listed(harness)).toEqual([job]);
    await repairAfter(harness, 25);
    expect(await listed(harness)).toEqual([]);
  });

  it('keeps a job that was put there again, or that has a batch without a result', async () => {
    const { harness, job } = await begin();
    await send(harness, job, [{ email: 'a@x.org' }]);
    await repairAfter(harness, 25);
    expect(await listed(harness)).toEqual([job]);
    await workOff(harness);
    const seen = await harness.deps.watched.all();
    await harness.deps.watched.watch({ property: 7, id: job }, NOW);
    for (const each of seen) await harness.deps.watched.unwatch(each);
    expect(await listed(harness)).toEqual([job]);
  });

  it('holds the jobs of files too', async () => {
    const { harness, id } = await withDefinition();
    const { id: job } = await runFile(harness, id, 'email,first_name\na@x.org,\n');
    expect(await listed(harness)).toEqual([job]);
  });
});

describe('a job whose repair fails', () => {
  it('does not keep the jobs behind it from being repaired, and its failure is told', async () => {
    const { harness, importId, job } = await begin();
    const asked = request({}, {}, { name: 'b', import_job: job, records: [{ email: 'a@x.org' }] });
    const dying = { ...harness.deps, batches: { send: () => Promise.reject(new Error('killed')) } };
    await expect(importData(dying, asked)).rejects.toThrow('killed');
    const lost = { w: '', property: 7, job: 7_999_999_999, since: 0 };
    const broken = {
      ...harness.deps.watched,
      all: async () => [lost, ...(await harness.deps.watched.all())],
    };
    await harness.table.put(keys.job(7, 7_999_999_999), { id: 'broken' });
    const deps = { ...harness.deps, watched: broken, clock: () => NOW + 3 * HOUR };
    const repaired = repairImports(deps, () => true);
    await expect(repaired).rejects.toThrow('Invalid');
    await workOff(harness);
    expect((await readJob(harness, importId, job)).counts).toMatchObject({
      status: 'complete',
      completed: 1,
    });
  });
});

describe('a file whose execution is over without it', () => {
  it('comes to an end, and not before an execution must be over', async () => {
    const { harness, id } = await withDefinition();
    const { reference, job } = await upload(harness, id, 'email,first_name\na@x.org,A\n');
    await inspectFile(harness.deps, reference);
    // The execution is over: SplitFile and FailImport could not reach the table for minutes, or an operator stopped it.
    const statuses = [];
    for (let day = 1; day <= 14; day += 1) {
      await repairAfter(harness, day * 24);
      statuses.push((await readJob(harness, id, job)).counts.status);
    }
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill('ingesting'));
    expect(new Set(statuses.slice(5))).toEqual(new Set(['failed']));
    expect((await readJob(harness, id, job)).failure?.code).toBe('internal_error');
    // The repair has started another execution, which announces the end.
    expect(harness.started.at(-1)).toMatch('-again-');
    await announceImport(harness.deps, reference);
    await repairAfter(harness, 15 * 24);
    expect((await harness.deps.watched.all()).map((each) => each.job)).toEqual([]);
  });
});

describe('a call of the repair that has time for few jobs', () => {
  it('begins at any of them, so that each is looked at sooner or later', async () => {
    const { harness, id } = await withDefinition();
    const dying = { ...harness.deps, batches: { send: () => Promise.reject(new Error('killed')) } };
    for (let made = 0; made < 40; made += 1) {
      const { id: job } = await openJob(harness, id);
      const asked = request({}, {}, { name: 'b', import_job: job, records: [{ email: 'a@x.org' }] });
      await expect(importData(dying, asked)).rejects.toThrow('killed');
    }
    const repair = (call: number): Promise<number> => {
      let left = 2;
      // The calls begin in turn at the fractions that a generator would draw.
      const random = () => (call * 0.618_034) % 1;
      return repairImports({ ...harness.deps, random, clock: () => NOW + 3 * HOUR }, () => (left -= 1) >= 0);
    };
    let mended = 0;
    for (let call = 0; call < 60; call += 1) mended += await repair(call);
    expect(mended).toBe(40);
  });
});
