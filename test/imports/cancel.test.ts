import type * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { jobAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { begin, importHarness, withDefinition, referenceOf } from './import-harness.ts';
import { answered } from '../support/requests.ts';

/** A sent batch of two records, on a table that acts once, ahead of the operation that the plan names. */
const sentBatch = async () => {
  const plan = { at: 0, done: 0, act: async () => {} };
  const harness = importHarness(
    new MemoryTable(async () => {
      plan.done += 1;
      if (plan.done === plan.at) await plan.act();
    }),
  );
  const { id } = await harness.define();
  const { id: job } = await harness.openJob(id);
  await harness.send(job, [{ email: 'a@x.org' }, { email: 'b@x.org' }]);
  return { plan, harness, id, job };
};

describe('cancelling a job of batches', () => {
  it('is listed by its status, the oldest first when asked', async () => {
    const { harness, importId, job } = await begin();
    const { id: other } = await harness.openJob(importId);
    await harness.cancel(importId, job);
    const listed = async (query: object) => {
      const jobs = await harness.listJobs(importId, query);
      return jobs.map(({ id }) => id);
    };
    expect(await listed({})).toEqual([other, job]);
    expect(await listed({ order: 'oldest' })).toEqual([job, other]);
    expect(await listed({ status: 'cancelled' })).toEqual([job]);
    expect(await listed({ status: 'unknown', limit: '1' })).toEqual([other]);
    expect(await listed({ status: 'complete' })).toEqual([]);
  });

  it('keeps what is stored, drops what nobody has begun, and says so', async () => {
    const { harness, importId, job } = await begin();
    await harness.store(job, [{ email: 'a@x.org' }, {}]);
    await harness.send(job, [{ email: 'b@x.org' }, { email: 'c@x.org' }]);
    expect(await harness.cancel(importId, job)).toMatchObject({ ok: true, value: { status: 200 } });
    await harness.workOff();
    expect(await harness.readJob(importId, job)).toMatchObject({
      counts: {
        status: 'cancelled',
        ingested: 4,
        serialized: 3,
        unserializable: 1,
        processing: 0,
        completed: 1,
        failed: 2,
      },
    });
    expect((await harness.readErrors(importId, job)).errors).toMatchObject([
      { row: null, code: 'cancelled', message: 'The job was cancelled before 2 of its rows were stored.' },
      { row: 2, code: 'required' },
    ]);
    expect(await harness.people()).toEqual([['a@x.org', null]]);
  });

  it('lets a batch that was begun finish, and counts it', async () => {
    const { harness, importId, job } = await begin();
    const { batch_job_uuid: uuid } = await harness.send(job, [{ email: 'a@x.org' }]);
    const batch = await harness.deps.imports.batch(7, job, uuid);
    if (batch) await harness.deps.imports.updateBatch({ property: 7, id: job }, batch, { begun: 1 });
    await harness.cancel(importId, job);
    expect(await harness.readJob(importId, job)).toMatchObject({
      finished: null,
      counts: { status: 'cancelled', processing: 1, failed: 0 },
    });
    await harness.workOff();
    const done = await harness.readJob(importId, job);
    expect(done.counts).toMatchObject({ status: 'cancelled', processing: 0, completed: 1 });
    expect(done.finished).not.toBeNull();
    expect(await harness.people()).toHaveLength(1);
  });

  it('twice is as good as once, and no batch comes after it, also when the job was complete', async () => {
    const { harness, importId, job } = await begin();
    await harness.store(job, [{ email: 'a@x.org' }]);
    expect((await harness.readJob(importId, job)).counts.status).toBe('complete');
    const first = await harness.cancel(importId, job);
    expect(await harness.cancel(importId, job)).toEqual(first);
    const counts = { status: 'cancelled', completed: 1, failed: 0 };
    expect((await harness.readJob(importId, job)).counts).toMatchObject(counts);
    const more = await harness.importRecords(job, [{ email: 'a@x.org' }]);
    expect(more).toMatchObject({ ok: false, error: { status: 409, code: 'job_closed' } });
  });

  it('of another definition or property is not found', async () => {
    const { harness, importId, job } = await begin();
    const { id: other } = await harness.define();
    for (const [of, id] of [
      [other, job],
      [importId, job + 1_000_000_000],
      [importId, 1],
    ] as const)
      expect(await harness.cancel(of, id)).toMatchObject({ ok: false, error: { status: 404 } });
  });

  it.each([false, true])(
    'at any moment of a worker, who dies of it %s: what counts is what is stored',
    async (dies) => {
      let moments = 0;
      for (let moment = 1; moment < 100; moment += 1) {
        const { plan, harness, id, job } = await sentBatch();
        plan.act = async () => {
          await harness.cancel(id, job);
          if (dies) throw new Error('killed');
        };
        const messages = harness.messages();
        plan.at = plan.done + moment;
        for (const message of [...messages, ...messages])
          await harness.importBatch(message).catch(() => undefined);
        if (plan.done < plan.at) break;
        moments += 1;
        plan.at = 0;
        const { counts } = await harness.readJob(id, job);
        const stored = await harness.people();
        expect(counts, `cancelled at operation ${moment}`).toMatchObject({
          status: 'cancelled',
          ingested: 2,
          processing: 0,
          completed: stored.length,
          failed: 2 - stored.length,
        });
      }
      expect(moments).toBeGreaterThan(5);
    },
  );
});

describe('cancelling the job of a file', () => {
  const rows = Array.from({ length: 50_000 }, (_, index) => `p${index}@x.org,`).join('\n');
  const file = `email,first_name\n${rows}\n`;

  it('that has not arrived: it is not imported when it does', async () => {
    const { harness, id } = await withDefinition();
    const { job, event } = await harness.upload(id, 'email,first_name\na@x.org,');
    const stored = await harness.deps.imports.job(7, job);
    if (stored?.file)
      await harness.deps.imports.updateJob(stored, {
        phase: 'awaiting',
        started: null,
        file: { ...stored.file, object: null },
      });
    expect(await harness.cancel(id, job)).toMatchObject({ ok: true });
    await harness.startImport(event);
    await harness.startImport(event);
    const reference = referenceOf(id, job);
    expect(await harness.inspectFile(reference)).toEqual({ status: 'ok', done: true });
    expect(await harness.splitFile(reference)).toEqual({ status: 'ok', done: true });
    expect(await harness.settleImport(reference)).toEqual({ done: true, wait_seconds: 0 });
    expect((await harness.readJob(id, job)).counts).toMatchObject({ status: 'cancelled', ingested: 0 });
    expect(new Set(harness.started)).toEqual(new Set([`p7-import-${job}`]));
    const event2 = await harness.put(event.detail.object.key, Buffer.from('email,first_name\nb@x.org,'));
    await harness.startImport(event2);
    expect(new Set(harness.started)).toEqual(new Set([`p7-import-${job}`]));
  });

  it('while it is cut: the rest is not cut', async () => {
    const { harness, id } = await withDefinition(undefined);
    const { reference, job } = await harness.uploadInspected(id, file);
    const send = harness.batches.send.bind(harness.batches);
    const batches = {
      send: async (messages: Parameters<typeof send>[0]) => {
        await send(messages);
        await harness.cancel(id, job);
      },
    };
    expect(await splitFile({ ...harness.deps, batches }, reference)).toEqual({ status: 'ok', done: true });
    await harness.workOff();
    expect((await harness.readJob(id, job)).counts).toMatchObject({
      status: 'cancelled',
      ingested: 4_096,
      completed: 0,
      failed: 4_096,
    });
    expect(await harness.settleImport(reference)).toEqual({ done: true, wait_seconds: 0 });
  });

  it('that has ended, well or badly, changes nothing', async () => {
    const { harness, id } = await withDefinition();
    for (const content of ['email,first_name\na@x.org,\n', 'email\na@x.org\n']) {
      const { id: job, counts } = await harness.runFile(id, content);
      expect(await harness.cancel(id, job)).toMatchObject({
        ok: false,
        error: { status: 409, code: 'job_ended' },
      });
      expect((await harness.readJob(id, job)).counts).toEqual(counts);
    }
  });

  it('leaves a message that comes late without effect', async () => {
    const { harness, id } = await withDefinition();
    const { reference, job } = await harness.uploadInspected(id, 'email,first_name\na@x.org,\n');
    await harness.splitFile(reference);
    await harness.cancel(id, job);
    for (const message of harness.messages()) await harness.importBatch(message);
    expect(await harness.people()).toEqual([]);
  });
});

describe('a job that was said to be finished when it was cancelled', () => {
  /**
   * Cancels at every operation of the workers of a batch whose message is delivered more than once; returns the
   * violations.
   */
  const brokenWords = async (deliveries: number) => {
    const broken: unknown[] = [];
    for (let moment = 1; moment < 200; moment += 1) {
      const { plan, harness, id, job } = await sentBatch();
      const told: v.InferOutput<typeof jobAnswer>[] = [];
      plan.act = async () => {
        told.push(await answered(harness.cancel(id, job), jobAnswer));
      };
      const messages = harness.messages();
      plan.at = plan.done + moment;
      const delivered = messages.flatMap((message) => Array<typeof message>(deliveries).fill(message));
      await Promise.all(delivered.map((message) => harness.importBatch(message)));
      if (plan.done < plan.at) return { broken, moments: moment - 1 };
      plan.at = 0;
      const after = await harness.readJob(id, job);
      const [answer] = told;
      if (answer?.finished !== null && (await harness.people()).length !== answer?.counts.completed)
        broken.push({ operation: moment, told: answer?.counts, then: after.counts });
    }
    throw new Error('the worker never ended');
  };

  it.each([1, 2])('stores nothing more (deliveries of its batch: %i)', async (deliveries) => {
    const { broken, moments } = await brokenWords(deliveries);
    expect(broken).toEqual([]);
    expect(moments).toBeGreaterThan(8);
  });
});
