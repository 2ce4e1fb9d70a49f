import { describe, expect, it } from 'vitest';
import { announceImport } from '../../shared/imports/announce/announce-import.ts';
import { limits } from '../../shared/config/limits.ts';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { begin, type ImportHarness, request, withDefinition, ranFile } from './import-harness.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { NOW } from '../profiles/harness.ts';

const HOUR = 3_600_000;
const { maxReceiveCount } = limits.queues;

/** The repair as it runs some hours later. */
const repairAfter = (harness: ImportHarness, hours: number): Promise<number> =>
  harness.repairAt(NOW + hours * HOUR);

const failing = (harness: ImportHarness) => ({
  ...harness.deps,
  store: () => Promise.reject(new Error('the table is away')),
});

/** Delivers everything queued to a worker that fails, as often as the queue does. */
const exhaust = async (harness: ImportHarness) => {
  const messages = harness.messages();
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
    await harness.workOff();
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
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
    await harness.cancel(importId, job);
    expect(await repairAfter(harness, 3)).toBe(0);
  });
});

describe('a batch that cannot be worked off', () => {
  it('is parked by its last delivery; the job ends with errors and says so, until a redrive', async () => {
    const { harness, importId, job } = await begin();
    await harness.send(job, [{ email: 'a@x.org' }, { email: 'b@x.org' }]);
    const [message] = await exhaust(harness);
    for (let look = 0; look < 2; look += 1) {
      const { counts, finished } = await harness.readJob(importId, job);
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
    const [told] = (await harness.readErrors(importId, job)).errors;
    expect(told).toMatchObject({ row: null, code: 'parked' });
    expect(told?.message).toMatch(/^2 rows /);
    if (message) await harness.importBatch(message);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'complete',
      completed: 2,
    });
    expect((await harness.readErrors(importId, job)).errors).toEqual([]);
    expect(await harness.people()).toHaveLength(2);
  });

  it('is not parked by an earlier delivery, nor when another worker was quicker', async () => {
    const { harness, importId, job } = await begin();
    await harness.send(job, [{ email: 'a@x.org' }]);
    const message = harness.firstMessage();
    await expect(importBatch(failing(harness), message)).rejects.toThrow('away');
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ processing: 1 });
    const overtaken = {
      ...harness.deps,
      store: async () => {
        await harness.importBatch(message);
        throw new Error('the table is away');
      },
    };
    await expect(importBatch(overtaken, message, () => true)).rejects.toThrow('away');
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'complete',
      completed: 1,
    });
  });

  it('is not parked by the repair while workers try', async () => {
    const { harness, importId, job } = await begin();
    await harness.send(job, [{ email: 'a@x.org' }]);
    const message = harness.firstMessage();
    const busy = (hours: number) => ({
      ...harness.deps,
      clock: () => NOW + hours * HOUR,
      store: () => Promise.reject(new UnavailableError('the table throttles')),
    });
    for (const hours of [0, 2, 4, 6]) {
      await expect(importBatch(busy(hours), message)).rejects.toThrow('throttles');
      expect(await repairAfter(harness, hours + 1)).toBe(0);
    }
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ processing: 1 });
    await harness.importBatch(message);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ status: 'complete' });
  });

  it('and kills its last worker without a word is parked by the repair', async () => {
    const { harness, importId, job } = await begin();
    await harness.send(job, [{ email: 'a@x.org' }]);
    const message = harness.firstMessage();
    await expect(importBatch(failing(harness), message)).rejects.toThrow('away');
    expect(await repairAfter(harness, 2.9)).toBe(0);
    expect(await repairAfter(harness, 3.1)).toBe(1);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ status: 'complete-with-errors' });
    expect(await repairAfter(harness, 9)).toBe(0);
    await harness.importBatch(message);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({
      status: 'complete',
      completed: 1,
    });
  });

  it('stays unstored when its job was cancelled before the redrive', async () => {
    const { harness, importId, job } = await begin();
    await harness.send(job, [{ email: 'a@x.org' }]);
    const [message] = await exhaust(harness);
    await harness.cancel(importId, job);
    if (message) await harness.importBatch(message);
    expect((await harness.readJob(importId, job)).counts).toMatchObject({ status: 'cancelled', failed: 1 });
    expect(await harness.people()).toEqual([]);
  });
});

describe('the task of a job', () => {
  it('stays for an hour after its batches, and while one of them has no result', async () => {
    const { harness, job } = await begin();
    expect(harness.jobsWithTasks()).toEqual([]);
    await harness.send(job, [{ email: 'a@x.org' }]);
    await repairAfter(harness, 25);
    expect(harness.jobsWithTasks()).toEqual([job]);
    await harness.workOff();
    await repairAfter(harness, 0.9);
    expect(harness.jobsWithTasks()).toEqual([job]);
    await repairAfter(harness, 25);
    expect(harness.jobsWithTasks()).toEqual([]);
  });

  it('is added again by a later batch, but not by each batch of an hour', async () => {
    const { harness, job } = await begin();
    const sendAfter = (hours: number) => {
      const body = { name: 'b', import_job: job, records: [{ email: `p${hours}@x.org` }] };
      return importData(harness.deps, { ...request({}, {}, body), now: NOW + hours * HOUR });
    };
    const stored = () => harness.table.items().filter(({ pk }) => pk.startsWith('TASKS#'));
    await sendAfter(0.1);
    const first = stored();
    await sendAfter(0.9);
    expect(stored()).toEqual(first);
    await harness.workOff();
    await repairAfter(harness, 25);
    expect(stored()).toEqual([]);
    await sendAfter(26);
    expect(harness.jobsWithTasks()).toEqual([job]);
  });

  it('is there for the jobs of files too', async () => {
    const { harness, jobId: job } = await ranFile('email,first_name\na@x.org,\n');
    expect(harness.jobsWithTasks()).toEqual([job]);
  });
});

describe('a file whose execution is over without it', () => {
  it('comes to an end, and not before an execution must be over', async () => {
    const { harness, id } = await withDefinition();
    const { reference, job } = await harness.uploadInspected(id, 'email,first_name\na@x.org,A\n');
    // The execution is over: SplitFile and FailImport could not reach the table for minutes, or an operator stopped it.
    const statuses = [];
    for (let day = 1; day <= 14; day += 1) {
      await repairAfter(harness, day * 24);
      statuses.push((await harness.readJob(id, job)).counts.status);
    }
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill('ingesting'));
    expect(new Set(statuses.slice(5))).toEqual(new Set(['failed']));
    expect((await harness.readJob(id, job)).failure?.code).toBe('internal_error');
    // The repair has started another execution, which announces the end.
    expect(harness.started.at(-1)).toMatch('-again-');
    await announceImport(harness.deps, reference);
    await repairAfter(harness, 15 * 24);
    expect(harness.jobsWithTasks()).toEqual([]);
  });
});
