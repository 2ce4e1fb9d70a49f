import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { cancelImportJob } from '../../shared/imports/jobs/cancel-import-job.ts';
import { jobsAnswer } from '../../shared/imports/model/schemas.ts';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { batchMessage } from '../../shared/imports/model/job-messages.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { jobAnswer } from '../../shared/imports/model/schemas.ts';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { MemoryTable } from '../support/memory-table.ts';
import {
  answered,
  begin,
  define,
  type ImportWorld,
  importWorld,
  listJobs,
  openJob,
  people,
  put,
  readErrors,
  readJob,
  request,
  runFile,
  send,
  upload,
  workOff,
} from './import-world.ts';
import { startImport } from '../../shared/imports/files/start-import.ts';

const cancel = (world: ImportWorld, importId: number, job: number) =>
  cancelImportJob(world.deps, request({ import_id: importId, job_id: job }, {}, undefined));

describe('cancelling a job of batches', () => {
  it('is listed by its status, the oldest first when asked', async () => {
    const { world, importId, job } = await begin();
    const { id: other } = await openJob(world, importId);
    await cancel(world, importId, job);
    const listed = async (query: object) => {
      const answer = await listJobs(world, importId, query);
      return v.parse(jobsAnswer, answer.ok ? answer.value.body : undefined).jobs.map(({ id }) => id);
    };
    expect(await listed({})).toEqual([other, job]);
    expect(await listed({ order: 'oldest' })).toEqual([job, other]);
    expect(await listed({ status: 'cancelled' })).toEqual([job]);
    expect(await listed({ status: 'unknown', limit: '1' })).toEqual([other]);
    expect(await listed({ status: 'complete' })).toEqual([]);
  });

  it('keeps what is stored, drops what nobody has begun, and says so', async () => {
    const { world, importId, job } = await begin();
    await send(world, job, [{ email: 'a@x.org' }, {}]);
    await workOff(world);
    await send(world, job, [{ email: 'b@x.org' }, { email: 'c@x.org' }]);
    expect(await cancel(world, importId, job)).toMatchObject({ ok: true, value: { status: 200 } });
    await workOff(world);
    expect(await readJob(world, importId, job)).toMatchObject({
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
    expect((await readErrors(world, importId, job)).errors).toMatchObject([
      { row: null, code: 'cancelled', message: 'The job was cancelled before 2 of its rows were stored.' },
      { row: 2, code: 'required' },
    ]);
    expect(await people(world)).toEqual([['a@x.org', null]]);
  });

  it('lets a batch that was begun finish, and counts it', async () => {
    const { world, importId, job } = await begin();
    const { batch_job_uuid: uuid } = await send(world, job, [{ email: 'a@x.org' }]);
    const batch = await world.deps.imports.batch(7, job, uuid);
    if (batch) await world.deps.imports.updateBatch({ property: 7, id: job }, batch, { begun: 1 });
    await cancel(world, importId, job);
    expect(await readJob(world, importId, job)).toMatchObject({
      finished: null,
      counts: { status: 'cancelled', processing: 1, failed: 0 },
    });
    await workOff(world);
    const done = await readJob(world, importId, job);
    expect(done.counts).toMatchObject({ status: 'cancelled', processing: 0, completed: 1 });
    expect(done.finished).not.toBeNull();
    expect(await people(world)).toHaveLength(1);
  });

  it('twice is as good as once, and no batch comes after it, also when the job was complete', async () => {
    const { world, importId, job } = await begin();
    await send(world, job, [{ email: 'a@x.org' }]);
    await workOff(world);
    expect((await readJob(world, importId, job)).counts.status).toBe('complete');
    const first = await cancel(world, importId, job);
    expect(await cancel(world, importId, job)).toEqual(first);
    const counts = { status: 'cancelled', completed: 1, failed: 0 };
    expect((await readJob(world, importId, job)).counts).toMatchObject(counts);
    const more = await importData(
      world.deps,
      request({}, {}, { name: 'b', import_job: job, records: [{ email: 'a@x.org' }] }),
    );
    expect(more).toMatchObject({ ok: false, error: { status: 409, code: 'job_closed' } });
  });

  it('of another definition or property is not found', async () => {
    const { world, importId, job } = await begin();
    const { id: other } = await define(world);
    for (const [of, id] of [
      [other, job],
      [importId, job + 1_000_000_000],
      [importId, 1],
    ] as const)
      expect(await cancel(world, of, id)).toMatchObject({ ok: false, error: { status: 404 } });
  });

  it.each([false, true])(
    'at any moment of a worker, who dies of it %s: what counts is what is stored',
    async (dies) => {
      let moments = 0;
      for (let moment = 1; moment < 100; moment += 1) {
        const plan = { at: 0, done: 0, act: async () => {} };
        const world = importWorld(
          new MemoryTable(async () => {
            plan.done += 1;
            if (plan.done === plan.at) await plan.act();
          }),
        );
        const { id } = await define(world);
        const { id: job } = await openJob(world, id);
        await send(world, job, [{ email: 'a@x.org' }, { email: 'b@x.org' }]);
        plan.act = async () => {
          await cancel(world, id, job);
          if (dies) throw new Error('killed');
        };
        const messages = world.batches.takeBodies().map((body) => v.parse(batchMessage, body));
        plan.at = plan.done + moment;
        for (const message of [...messages, ...messages])
          await importBatch(world.deps, message).catch(() => undefined);
        if (plan.done < plan.at) break;
        moments += 1;
        plan.at = 0;
        const { counts } = await readJob(world, id, job);
        const stored = await people(world);
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
    const world = importWorld();
    const { id } = await define(world);
    const { job, event } = await upload(
      { ...world, deps: { ...world.deps } },
      id,
      'email,first_name\na@x.org,',
    );
    const stored = await world.deps.imports.job(7, job);
    if (stored?.file)
      await world.deps.imports.updateJob(stored, {
        phase: 'awaiting',
        started: null,
        file: { ...stored.file, object: null },
      });
    expect(await cancel(world, id, job)).toMatchObject({ ok: true });
    await startImport(world.deps, event);
    await startImport(world.deps, event);
    const reference = { property: 7, import: id, job };
    expect(await inspectFile(world.deps, reference)).toEqual({ status: 'ok' });
    expect(await splitFile(world.deps, reference)).toEqual({ status: 'ok', done: true });
    expect(await settleImport(world.deps, reference)).toEqual({ done: true, wait_seconds: 0 });
    expect((await readJob(world, id, job)).counts).toMatchObject({ status: 'cancelled', ingested: 0 });
    expect(new Set(world.started)).toEqual(new Set([`p7-import-${job}`]));
    const event2 = await put(world, event.detail.object.key, Buffer.from('email,first_name\nb@x.org,'));
    await startImport(world.deps, event2);
    expect(new Set(world.started)).toEqual(new Set([`p7-import-${job}`]));
  });

  it('while it is cut: the rest is not cut', async () => {
    const world = importWorld();
    const { id } = await define(world, undefined);
    const { reference, job } = await upload(world, id, file);
    await inspectFile(world.deps, reference);
    const send = world.batches.send.bind(world.batches);
    const batches = {
      send: async (messages: Parameters<typeof send>[0]) => {
        await send(messages);
        await cancel(world, id, job);
      },
    };
    expect(await splitFile({ ...world.deps, batches }, reference)).toEqual({ status: 'ok', done: true });
    await workOff(world);
    expect((await readJob(world, id, job)).counts).toMatchObject({
      status: 'cancelled',
      ingested: 4_096,
      completed: 0,
      failed: 4_096,
    });
    expect(await settleImport(world.deps, reference)).toEqual({ done: true, wait_seconds: 0 });
  });

  it('that has ended, well or badly, changes nothing', async () => {
    const world = importWorld();
    const { id } = await define(world);
    for (const content of ['email,first_name\na@x.org,\n', 'email\na@x.org\n']) {
      const { id: job, counts } = await runFile(world, id, content);
      expect(await cancel(world, id, job)).toMatchObject({
        ok: false,
        error: { status: 409, code: 'job_ended' },
      });
      expect((await readJob(world, id, job)).counts).toEqual(counts);
    }
  });

  it('leaves a message that comes late without effect', async () => {
    const world = importWorld();
    const { id } = await define(world);
    const { reference, job } = await upload(world, id, 'email,first_name\na@x.org,\n');
    await inspectFile(world.deps, reference);
    await splitFile(world.deps, reference);
    await cancel(world, id, job);
    for (const message of world.batches.takeBodies())
      await importBatch(world.deps, v.parse(batchMessage, message));
    expect(await people(world)).toEqual([]);
  });
});

describe('a job that was said to be finished when it was cancelled', () => {
  /** Cancels at every operation of the workers of a batch whose message is delivered more than once; returns the violations. */
  const brokenWords = async (deliveries: number) => {
    const broken: unknown[] = [];
    for (let moment = 1; moment < 200; moment += 1) {
      const plan = { at: 0, done: 0, act: async () => {} };
      const world = importWorld(
        new MemoryTable(async () => {
          plan.done += 1;
          if (plan.done === plan.at) await plan.act();
        }),
      );
      const { id } = await define(world);
      const { id: job } = await openJob(world, id);
      await send(world, job, [{ email: 'a@x.org' }, { email: 'b@x.org' }]);
      const told: Awaited<ReturnType<typeof readJob>>[] = [];
      plan.act = async () => {
        told.push(await answered(cancel(world, id, job), jobAnswer));
      };
      const messages = world.batches.takeBodies().map((body) => v.parse(batchMessage, body));
      plan.at = plan.done + moment;
      const delivered = messages.flatMap((message) => Array<typeof message>(deliveries).fill(message));
      await Promise.all(delivered.map((message) => importBatch(world.deps, message)));
      if (plan.done < plan.at) return { broken, moments: moment - 1 };
      plan.at = 0;
      const after = await readJob(world, id, job);
      const [answer] = told;
      if (answer?.finished !== null && (await people(world)).length !== answer?.counts.completed)
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
