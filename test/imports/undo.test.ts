import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { cancelImportJob } from '../../shared/imports/jobs/cancel-import-job.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import { batchBody } from '../../shared/imports/schemas/batch-schemas.ts';
import { jobAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { retryImportJob } from '../../shared/imports/retry/retry-import-job.ts';
import { runUndo } from '../../shared/imports/undo/run-undo.ts';
import { undoImportJob } from '../../shared/imports/undo/undo-import-job.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import {
  begin,
  importHarness,
  request,
  simpleDefinition,
  type ImportHarness,
  referenceOf,
  tickingHarness,
} from './import-harness.ts';
import { answered } from '../support/requests.ts';
import { ask, asking, step, undo, undoDeps } from './undo-steps.ts';

const DAY_MS = 86_400_000;

const file = 'email,first_name\na@x.org,Anna\nb@x.org,Bert\nc@x.org,Carl\n';

/** A known person, whose name the file changes; another one, whose name is changed again afterwards. */
const story = async (harness: ImportHarness) => {
  const { id: importId } = await harness.define();
  await harness.apply([accepted({ email: 'a@x.org', first_name: 'Ann', city: 'Bonn' })]);
  const { id: job } = await harness.runFile(importId, file);
  await harness.apply([accepted({ email: 'b@x.org', first_name: 'Berta' }, 0, { latest: true })]);
  return { importId, job };
};

describe('the undo of an import', () => {
  it('takes back what the job brought, restores what it hid, and counts both', async () => {
    const harness = importHarness();
    const { importId, job } = await story(harness);
    const answer = await answered(ask(harness, importId, job), jobAnswer);
    expect(answer.undo).toMatchObject({ status: 'running', finished: null });
    expect(await harness.people()).toEqual([
      ['a@x.org', 'Anna'],
      ['b@x.org', 'Berta'],
      ['c@x.org', 'Carl'],
    ]);
    const { undo: undone, counts } = await undo(harness, importId, job);
    expect(undone).toMatchObject({
      status: 'complete',
      values: { taken_back: 4, replaced: 2 },
      people: { removed: 1, changed: 1, unchanged: 1 },
    });
    expect(counts).toMatchObject({ status: 'complete', completed: 3 });
    expect(await harness.people()).toEqual([
      ['', null],
      ['a@x.org', 'Ann'],
      ['b@x.org', 'Berta'],
    ]);
    const gone = { kind: 'email', value: 'c@x.org' } as const;
    expect(await harness.profiles.findByIdentity(scope, gone)).toBeUndefined();
    // The same person comes back as a new one.
    const [outcome] = await harness.apply([accepted({ email: 'c@x.org' }, 0, { latest: true })]);
    expect(outcome).toMatchObject({ kind: 'created' });
  });

  it('leaves the latest consent of the others, and what was withdrawn, whatever came late', async () => {
    const { harness, importId, job: first } = await begin();
    const say = async (job: number, state: string, datetime: string): Promise<void> => {
      await harness.store(job, [{ email: 'a@x.org', consent: [{ channel: 'email', state, datetime }] }]);
    };
    const consent = async () => {
      const found = await harness.profiles.findByIdentity(scope, { kind: 'email', value: 'a@x.org' });
      return found?.consent.map(({ state, datetime }) => `${state} ${datetime}`);
    };
    const { id: second } = await harness.openJob(importId);
    const { id: late } = await harness.openJob(importId);
    await say(first, 'given', '2026-01-02 00:00:00');
    await say(second, 'given', '2026-01-03 00:00:00');
    await say(late, 'withdrawn', '2026-01-01 00:00:00');
    expect(await consent()).toEqual(['given 2026-01-03 00:00:00']);
    await undo(harness, importId, second);
    expect(await consent()).toEqual(['given 2026-01-02 00:00:00']);
    await undo(harness, importId, first);
    expect(await consent()).toEqual(['withdrawn 2026-01-01 00:00:00']);
    const { undo: done } = await undo(harness, importId, late);
    expect(done?.values).toEqual({ taken_back: 1, replaced: 0, kept: 1 });
    expect(await consent()).toBeUndefined();
  });

  it('measures the sizes of segments before it says that it has ended', async () => {
    const harness = importHarness();
    const { importId, job } = await story(harness);
    await answered(ask(harness, importId, job), jobAnswer);
    const status = async () => (await harness.readJob(importId, job)).undo?.status;
    const seen: unknown[] = [];
    const measure = async () => void seen.push(await status());
    const deps = { ...undoDeps(harness), measure };
    while (!(await runUndo(deps, referenceOf(importId, job))).done);
    expect([...seen, await status()]).toEqual(['running', 'complete']);
  });

  it('answers a repeated request in the same way, and starts one workflow', async () => {
    const harness = importHarness();
    const { importId, job } = await story(harness);
    harness.started.length = 0;
    const first = await answered(ask(harness, importId, job), jobAnswer);
    expect(await answered(ask(harness, importId, job), jobAnswer)).toEqual(first);
    expect(new Set(harness.started)).toEqual(new Set([`p${scope.id}-undo-${job}-0`]));
    const done = await undo(harness, importId, job);
    const again = await answered(ask(harness, importId, job), jobAnswer);
    expect(again.undo).toEqual(done.undo);
  });

  it('refuses a job that has not ended, a dry run, a job that is too old, and a job that is not there', async () => {
    const { harness, importId, job } = await begin();
    const code = async (asked: ReturnType<typeof ask>) => {
      const answer = await asked;
      return answer.ok ? answer.value.status : answer.error.code;
    };
    expect(await code(ask(harness, importId, job))).toBe('job_running');
    await harness.send(job, [{ email: 'a@x.org' }]);
    expect(await code(ask(harness, importId, job))).toBe('job_running');
    await harness.workOff();
    expect(await code(ask(harness, importId, job, NOW + 29 * DAY_MS))).toBe('too_old');
    expect(await code(ask(harness, importId, job + 1))).toBe('not_found');
    const dry = await harness.define({ ...simpleDefinition, name: 'Dry', test_mode: true });
    const { id: dryJob } = await harness.openJob(dry.id);
    await harness.store(dryJob, [{ email: 'a@x.org' }]);
    expect(await code(ask(harness, dry.id, dryJob))).toBe('dry_run');
    expect(await code(ask(harness, importId, job, NOW + 27 * DAY_MS))).toBe(202);
  });

  it('closes the job: no batch, no retry, no cancellation, and no redelivered message stores a row', async () => {
    const { harness, importId, job } = await begin();
    await harness.send(job, [{ email: 'a@x.org' }]);
    const messages = harness.batches.takeBodies();
    for (const message of messages) await harness.importBatch(v.parse(batchMessage, message));
    await undo(harness, importId, job);
    const body = v.parse(batchBody, { name: 'b', import_job: job, records: [{ email: 'b@x.org' }] });
    const code = { ok: false, error: { status: 409, code: 'job_undone' } };
    expect(await importData(harness.deps, request({}, {}, body))).toMatchObject(code);
    const path = { import_id: importId, job_id: job };
    expect(await retryImportJob(harness.deps, request(path, {}, { csv: 'x' }))).toMatchObject(code);
    expect(await cancelImportJob(harness.deps, request(path, {}, undefined))).toMatchObject({
      error: { code: 'job_ended' },
    });
    for (const message of messages) await harness.importBatch(v.parse(batchMessage, message));
    expect(await harness.people()).toEqual([['', null]]);
  });

  it('is started by the repair when its request died before that', async () => {
    const harness = importHarness();
    const { importId, job } = await story(harness);
    const undos = { start: () => Promise.reject(new Error('died')) };
    await expect(undoImportJob({ ...harness.deps, undos }, asking(importId, job))).rejects.toThrow('died');
    harness.started.length = 0;
    await harness.repairAt(harness.deps.clock());
    expect(harness.started).toEqual([`p${scope.id}-undo-${job}-0`]);
    await undo(harness, importId, job);
    harness.started.length = 0;
    await harness.repairAt(harness.deps.clock());
    expect(harness.started).toEqual([]);
  });

  it('waits for the undo of another job of the property', async () => {
    const harness = importHarness();
    const { importId, job } = await story(harness);
    const { id: other } = await harness.runFile(importId, 'email,first_name\nc@x.org,Cara\n', 'later.csv');
    await ask(harness, importId, other);
    await ask(harness, importId, job);
    harness.barrier.settled = false;
    const begun = async () => {
      const jobs = await Promise.all([other, job].map((id) => harness.deps.imports.job(scope.id, id)));
      return jobs.map((each) => typeof each?.undo?.begun === 'number');
    };
    const work = {
      get: (key: string) => harness.work.get(key),
      put: (key: string, body: Uint8Array | string) => harness.work.put(key, body),
      list: () => Promise.reject(new Error('died')),
    };
    const dying = { ...undoDeps(harness), work };
    const reference = referenceOf(importId, other);
    await expect(runUndo(dying, reference)).rejects.toThrow('died');
    expect((await step(harness, importId, job)).done).toBe(false);
    expect(await begun()).toEqual([true, false]);
    await step(harness, importId, other);
    await step(harness, importId, job);
    expect(await begun()).toEqual([true, true]);
    harness.barrier.settled = true;
    expect((await undo(harness, importId, job)).undo?.status).toBe('complete');
    expect((await undo(harness, importId, other)).undo?.status).toBe('complete');
    expect(await harness.people()).toEqual([
      ['', null],
      ['a@x.org', 'Ann'],
      ['b@x.org', 'Berta'],
    ]);
  });

  it('counts everybody once when two runs of its step go on at once', async () => {
    const harness = importHarness();
    const { importId, job } = await story(harness);
    await ask(harness, importId, job);
    harness.barrier.settled = false;
    await Promise.all([step(harness, importId, job), step(harness, importId, job)]);
    harness.barrier.settled = true;
    expect((await undo(harness, importId, job)).undo).toMatchObject({
      values: { taken_back: 4, replaced: 2 },
      people: { removed: 1, changed: 1, unchanged: 1 },
    });
  });

  it('is complete only once the index shows it', async () => {
    const harness = importHarness();
    const { importId, job } = await story(harness);
    harness.barrier.settled = false;
    expect((await undo(harness, importId, job)).undo).toMatchObject({
      status: 'running',
      people: { removed: 1, changed: 1, unchanged: 1 },
    });
    harness.barrier.settled = true;
    expect((await undo(harness, importId, job)).undo?.status).toBe('complete');
  });

  it('ends with the same profiles and counts when it dies at any operation', async () => {
    const whole = importHarness();
    const expected = await undo(
      whole,
      ...(await story(whole).then(({ importId, job }) => [importId, job] as const)),
    );
    await dyingAnywhere({
      begin: async (tick) => {
        const harness = tickingHarness(tick);
        return { harness, ...(await story(harness)) };
      },
      run: ({ harness, importId, job }) => undo(harness, importId, job),
      check: async ({ harness, importId, job }) => {
        const { undo: undone } = await undo(harness, importId, job);
        expect(undone).toMatchObject({
          status: 'complete',
          values: expected.undo?.values,
          people: expected.undo?.people,
        });
        expect(await harness.people()).toEqual(await whole.people());
      },
    });
  });
});
