import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { announceImport } from '../../shared/imports/announce/announce-import.ts';
import { replayAnnouncement } from '../../shared/imports/announce/import-deliveries.ts';
import { importDeliveryAnswer } from '../../shared/imports/schemas/report-schemas.ts';
import { retryImportJob } from '../../shared/imports/retry/retry-import-job.ts';
import type { SendOutcome } from '../../shared/webhooks/sender.ts';
import { textLike } from '../support/answers.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { announced, file, imported } from './announced.ts';
import { begin, request } from './import-harness.ts';
import { answered } from '../support/requests.ts';
import { download } from './retry-harness.ts';

const answering = (status: number) => (): Promise<SendOutcome> =>
  Promise.resolve({ kind: 'answered', status, retryAfter: undefined });

/** A file whose end was announced: the receiver of the webhook is gone, and the mail has arrived. */
const told = async (table?: MemoryTable) => {
  const made = await imported(file, announced, table);
  const { harness, reference, announce } = made;
  await announce({ send: answering(410) });
  harness.started.splice(0);
  const path = { import_id: reference.import, job_id: reference.job };
  const asked = (kind: string) => request({ ...path, delivery: `${reference.job}-${kind}` }, {}, undefined);
  const replay = (kind = 'webhook') =>
    answered(replayAnnouncement(harness.deps, asked(kind)), importDeliveryAnswer);
  /** The repair, after so many seconds; returns the workflows that it starts. */
  const repair = async (seconds: number) => {
    harness.started.splice(0);
    await harness.repairAt(harness.deps.clock() + seconds * 1000);
    return harness.started.splice(0);
  };
  return { ...made, path, asked, replay, repair };
};

describe('the replay of a delivery about the end of an import', () => {
  it('delivers once more under the same message id, and nothing else', async () => {
    const { harness, reference, announce, log, replay } = await told();
    expect((await log())[0]).toMatchObject({ kind: 'webhook', state: 'exhausted', replays: 0 });
    expect(await replay()).toMatchObject({
      id: `${reference.job}-webhook`,
      state: 'waiting',
      replays: 1,
      attempts: 0,
    });
    expect(harness.started).toEqual([`p7-import-${reference.job}-replay-webhook-1`]);
    expect(await announce()).toEqual({ done: true, wait_seconds: 0 });
    expect((await log())[0]).toMatchObject({
      state: 'delivered',
      replays: 1,
      log: [{ number: 2, replay: 1 }, { number: 1 }],
    });
    expect(harness.calls.map(({ headers }) => headers['webhook-id'])).toEqual([
      `msg_import_job_${reference.job}`,
    ]);
    expect(harness.mails).toHaveLength(1);
    await announce();
    expect(harness.calls).toHaveLength(1);
  });

  it('delivers again what has arrived', async () => {
    const { harness, announce, replay } = await told();
    await replay('email');
    await announce();
    expect(harness.mails).toHaveLength(2);
  });

  it('is retried for days, and the workflow waits for the next attempt', async () => {
    const { announce, log, replay } = await told();
    await replay();
    expect(await announce({ send: answering(503), random: () => 0 })).toEqual({
      done: false,
      wait_seconds: 5,
    });
    expect((await log())[0]).toMatchObject({ state: 'retrying', attempts: 1 });
  });

  it('is refused while an attempt is under way, while rows are imported again, and for what is not there', async () => {
    const { harness, path, asked, announce, replay } = await told();
    const refused = async (kind = 'webhook') => {
      const answer = await replayAnnouncement(harness.deps, asked(kind));
      return answer.ok ? 'ok' : answer.error.code;
    };
    await replay();
    const during: string[] = [];
    await announce({
      send: async () => {
        during.push(await refused());
        return answering(200)();
      },
    });
    expect(during).toEqual(['delivery_in_progress']);
    expect(await refused('result_files')).toBe('not_found');
    const csv = await download({ harness, importId: path.import_id, job: path.job_id });
    expect((await retryImportJob(harness.deps, request(path, {}, { csv }))).ok).toBe(true);
    expect(await refused()).toBe('job_not_ended');
  });

  it('is refused once the definition is deleted, and an older replay then tells nobody', async () => {
    const { harness, path, asked, announce, log, replay } = await told();
    await replay();
    expect((await harness.remove(path.import_id)).ok).toBe(true);
    expect((await announce()).done).toBe(true);
    expect((await log())[0]).toMatchObject({
      state: 'exhausted',
      last_error: textLike(/deleted/),
    });
    expect(harness.calls).toEqual([]);
    expect(await replayAnnouncement(harness.deps, asked('webhook'))).toMatchObject({
      error: { status: 404 },
    });
  });

  it('has no delivery of a job for batches', async () => {
    const { harness, importId, job } = await begin();
    const asked = request({ import_id: importId, job_id: job, delivery: `${job}-webhook` }, {}, undefined);
    expect(await replayAnnouncement(harness.deps, asked)).toMatchObject({ error: { status: 404 } });
  });

  it('comes once with its key, wherever the function dies, and the repair starts what nobody started', async () => {
    for (let dies = 1; ; dies += 1) {
      const plan = { operations: 0, isRunning: false };
      const table = new MemoryTable(() => {
        plan.operations += Number(plan.isRunning);
        if (plan.isRunning && plan.operations === dies) throw new Error('killed');
      });
      const { harness, reference, asked, announce, log, repair } = await told(table);
      const keyed = { ...asked('webhook'), keyed: true };
      plan.isRunning = true;
      const died = await replayAnnouncement(
        { ...harness.deps, workflow: { start: () => Promise.reject(new Error('killed')) } },
        keyed,
      ).then(
        () => false,
        (error: unknown) => plan.operations >= dies || String(error),
      );
      plan.isRunning = false;
      const [webhook] = await log();
      const started = await repair(limits.imports.announceSeconds + 60);
      expect(started).toEqual(
        webhook?.state === 'waiting' ? [expect.stringContaining(`import-${reference.job}-again-`)] : [],
      );
      expect((await replayAnnouncement(harness.deps, keyed)).ok).toBe(true);
      await announce();
      expect((await replayAnnouncement(harness.deps, keyed)).ok).toBe(true);
      await announce();
      expect([harness.calls.length, (await log())[0]?.replays]).toEqual([1, 1]);
      if (died !== true) break;
    }
  });

  it('keeps the task of its job until its retries have ended', async () => {
    const { announce, replay, repair, harness, reference } = await told();
    const day = 86_400;
    await repair(3 * day);
    expect(harness.jobsWithTasks()).toEqual([]);
    await replay();
    await announce({ send: answering(503) });
    await repair(2 * day);
    expect(harness.jobsWithTasks()).toEqual([reference.job]);
    const late = () => harness.deps.clock() + 4 * day * 1000;
    expect((await announceImport({ ...harness.deps, clock: late }, reference)).done).toBe(true);
    expect(await repair(8 * day)).toEqual([]);
    expect(harness.jobsWithTasks()).toEqual([]);
  });
});
