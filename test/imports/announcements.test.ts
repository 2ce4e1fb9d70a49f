import * as v from 'valibot';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { announceImport } from '../../shared/imports/announce/announce-import.ts';
import { createImport, replaceImport } from '../../shared/imports/definitions/change-imports.ts';
import { importBody, storedImportAnswer } from '../../shared/imports/schemas/definition-schemas.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import type { SendOutcome } from '../../shared/webhooks/sender.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { announced, create, file, imported } from './announced.ts';
import { importHarness, request, simpleDefinition } from './import-harness.ts';
import { ada, answered } from '../support/requests.ts';

const failing = (outcome: SendOutcome) => () => Promise.resolve(outcome);
const busy = failing({ kind: 'answered', status: 503, retryAfter: undefined });

describe('the end of the import of a file', () => {
  it('is told to the webhook, signed, with the job as GET shows it without people, and to the address', async () => {
    const { harness, reference, secret, announce, log } = await imported();
    const job = await harness.readJob(reference.import, reference.job, ['definitions.read']);
    // A receiver refuses old calls.
    expect(await announce({ clock: systemClock })).toEqual({ done: true, wait_seconds: 0 });
    const [call] = harness.calls;
    if (!call) throw new Error('no call');
    expect(new Webhook(secret).verify(call.body, { ...call.headers })).toEqual({
      type: 'import.completed',
      import_id: job.import_definition,
      import_name: 'Besucher',
      job_id: job.id,
      status: 'complete-with-errors',
      timestamp: job.finished,
      job,
    });
    expect([call.url, call.headers['webhook-id']]).toEqual([
      'https://hooks.example.org/imports',
      `msg_import_job_${job.id}`,
    ]);
    expect(harness.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [ada.email, expect.stringMatching(/^“.*”: 1 row stored, 1 refused$/)],
    ]);
    const { import_definition: definition } = job;
    expect(harness.mails[0]?.text).toContain('Refused: 1 row: email: not an email');
    const [, opening, , link] =
      harness.mails[0]?.text.split('\r\n\r\n').flatMap((block) => block.split('\r\n')) ?? [];
    expect([opening, link]).toEqual([
      '1 of 2 rows stored. 1 row was refused.',
      `https://api.example.org/console#/import/${definition}/${job.id}`,
    ]);
    expect(JSON.stringify(harness.mails)).not.toContain('a@x.org');
    expect(await log()).toMatchObject([
      { id: `${job.id}-webhook`, state: 'delivered', log: [{ outcome: 'delivered', http_status: 200 }] },
      { id: `${job.id}-email`, state: 'delivered', attempts: 1 },
    ]);
    expect(await announce()).toEqual({ done: true, wait_seconds: 0 });
    expect([harness.calls.length, harness.mails.length]).toEqual([1, 1]);
  });

  it('is told when the file cannot be read', async () => {
    const { harness, job, announce } = await imported('no header of mine\n');
    expect(job.counts.status).toBe('failed');
    expect((await announce()).done).toBe(true);
    expect(JSON.parse(harness.calls[0]?.body ?? '')).toMatchObject({
      type: 'import.failed',
      status: 'failed',
      job: { failure: { code: 'missing_column' } },
    });
    expect(harness.mails[0]?.subject).toMatch(/^“.*”: the import failed$/);
  });

  it('is told again until the receiver takes it, under one message id', async () => {
    const { harness, announce, log } = await imported();
    const { done, wait_seconds: wait } = await announce({ send: busy, random: () => 0 });
    expect([done, wait]).toEqual([false, 5]);
    expect(await log()).toMatchObject([{ kind: 'webhook', state: 'retrying' }, { state: 'delivered' }]);
    expect((await announce()).done).toBe(false);
    const later = () => harness.deps.clock() + 6_000;
    expect((await announce({ clock: later })).done).toBe(true);
    expect(harness.calls.map(({ headers }) => headers['webhook-id'])).toHaveLength(1);
    expect((await log())[0]).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(harness.mails).toHaveLength(1);
  });

  it('is told once by two executions at the same time', async () => {
    const { harness, announce } = await imported();
    await Promise.all([announce(), announce(), announce()]);
    expect([harness.calls.length, harness.mails.length]).toEqual([1, 1]);
  });

  it('is not told before the job has ended, nor of a cancelled job', async () => {
    const harness = importHarness();
    const { id } = await create(harness);
    const { job, reference } = await harness.uploadInspected(id, file);
    expect((await announceImport(harness.deps, reference)).done).toBe(false);
    expect(harness.calls).toEqual([]);
    await harness.cancel(id, job);
    expect((await announceImport(harness.deps, reference)).done).toBe(true);
    expect([harness.calls, harness.mails]).toEqual([[], []]);
  });

  it('is told when the announcing function dies at any operation', async () => {
    for (let dies = 1; ; dies += 1) {
      const plan = { operations: 0, isRunning: false };
      const table = new MemoryTable(() => {
        plan.operations += Number(plan.isRunning);
        if (plan.isRunning && plan.operations === dies) throw new Error('killed');
      });
      const { harness, announce, log } = await imported(file, announced, table);
      plan.isRunning = true;
      const died = await announce().then(
        () => false,
        () => true,
      );
      plan.isRunning = false;
      const late = () => harness.deps.clock() + limits.imports.announceSeconds * 1000;
      expect((await announce({ clock: late })).done).toBe(true);
      expect(harness.calls.length).toBeGreaterThan(0);
      expect(harness.mails.length).toBeGreaterThan(0);
      expect(new Set(harness.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect((await log()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
      if (!died) break;
    }
  });

  it('is told by another execution when the workflow was ended before', async () => {
    const { harness, reference, announce } = await imported();
    const repair = (after: number) => harness.repairAt(harness.deps.clock() + after * 1000);
    harness.started.splice(0);
    await repair(limits.imports.announceSeconds / 2);
    expect(harness.started).toEqual([]);
    await repair(limits.imports.announceSeconds + 60);
    await repair(limits.imports.announceSeconds + 60);
    expect(new Set(harness.started).size).toBe(1);
    expect(harness.started[0]).toMatch(`import-${reference.job}-again-`);
    // The steps of that execution.
    expect(await harness.inspectFile(reference)).toEqual({ status: 'ok', done: true });
    expect((await harness.settleImport(reference)).done).toBe(true);
    expect((await announce()).done).toBe(true);
    harness.started.splice(0);
    await repair(3 * limits.imports.announceSeconds);
    expect([harness.started, harness.calls.length]).toEqual([[], 1]);
  });

  it('is left to a workflow that waits for the next attempt', async () => {
    const { harness, announce } = await imported();
    await announce({ send: failing({ kind: 'answered', status: 503, retryAfter: '86400' }) });
    harness.started.splice(0);
    await harness.repairAt(harness.deps.clock() + 2 * limits.imports.announceSeconds * 1000);
    expect(harness.started).toEqual([]);
  });
});

describe('the webhook of a definition', () => {
  it('has a secret that only the answers to its POST and to the PUT that adds it show', async () => {
    const harness = importHarness();
    const plain = await create(harness, simpleDefinition);
    expect(plain.webhook_secret).toBeUndefined();
    const put = (definition: unknown) =>
      answered(
        replaceImport(
          harness.deps,
          request(
            { import_id: plain.id },
            {},
            v.parse(importBody, { ...simpleDefinition, ...Object(definition) }),
          ),
        ),
        storedImportAnswer,
      );
    const first = await put(announced);
    expect(first.webhook_secret).toMatch(/^whsec_/);
    expect((await put({ ...announced, name: 'other' })).webhook_secret).toBeUndefined();
    await put({ webhook_url: '' });
    expect((await put(announced)).webhook_secret).not.toBe(first.webhook_secret);
  });

  it('must be allowed, and so must the address', async () => {
    const harness = importHarness();
    const body = v.parse(importBody, { ...announced, webhook_url: 'https://127.0.0.1/x' });
    const stage = { ...harness.deps.stage, sender: undefined };
    const answer = await createImport({ ...harness.deps, stage }, request({}, {}, body));
    expect(answer.ok ? [] : answer.error.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/webhook_url private_target',
      '/notification_email no_sender',
    ]);
  });
});
