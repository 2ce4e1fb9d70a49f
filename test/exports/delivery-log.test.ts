import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { loggedDeliveryAnswer } from '../../shared/exports/model/answers.ts';
import type { SendOutcome } from '../../shared/webhooks/sender.ts';
import { answered, path, ran, ref, receivers } from './steps.ts';
import { bodyOf, type ExportsHarness } from './harness.ts';

const at = (kind: string): Record<string, string> => ({ ...path, delivery: `${ref.job}-${kind}` });

const read = async (harness: ExportsHarness, kind: string) =>
  v.parse(v.strictObject(loggedDeliveryAnswer.entries), bodyOf(await harness.readDelivery(at(kind))));

/** Makes one attempt, when it is due, that takes 250 ms and ends so. */
const attempt = async (harness: ExportsHarness, outcome: SendOutcome): Promise<void> => {
  harness.fakes.send = () => {
    harness.fakes.now += 250;
    return Promise.resolve(outcome);
  };
  const { wait_seconds } = await harness.deliver(ref);
  harness.fakes.now += wait_seconds * 1000;
};

describe('the log of a delivery', () => {
  it('shows each attempt, the newest first: time, duration and outcome', async () => {
    const harness = await ran(receivers);
    expect(await read(harness, 'webhook')).toMatchObject({ state: 'waiting', log: [] });
    await attempt(harness, answered(503));
    await attempt(harness, { kind: 'failed', failure: 'late', reason: 'connection failed: ECONNRESET' });
    await attempt(harness, { kind: 'refused' });
    await attempt(harness, answered(204));
    const { log, ...delivery } = await read(harness, 'webhook');
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 4, last_error: null });
    const common = { replay: 0, duration_ms: 250 };
    expect(log).toMatchObject([
      { ...common, number: 4, outcome: 'delivered', http_status: 204, error: null },
      {
        ...common,
        number: 3,
        outcome: 'failed',
        http_status: null,
        error: 'no server can be reached there',
      },
      {
        ...common,
        number: 2,
        outcome: 'failed',
        http_status: null,
        error: 'the connection broke, or no answer came in time',
      },
      { ...common, number: 1, outcome: 'failed', http_status: 503, error: 'answered 503' },
    ]);
    expect(
      log
        .map(({ started }) => started)
        .toSorted()
        .toReversed(),
    ).toEqual(log.map(({ started }) => started));
  });

  it('shows an interrupted attempt, and continues through replays', async () => {
    const harness = await ran(receivers);
    harness.fakes.mail = () => Promise.reject(new Error('killed'));
    await expect(harness.sendEmail(ref)).rejects.toThrow('killed');
    expect((await read(harness, 'email')).log).toMatchObject([{ outcome: 'sending', duration_ms: null }]);
    harness.fakes.mail = () => Promise.resolve({ kind: 'sent' });
    harness.fakes.now += 60_000;
    bodyOf(await harness.replay(at('email')));
    expect((await read(harness, 'email')).log).toMatchObject([{ outcome: 'interrupted', duration_ms: null }]);
    await harness.sendEmail(ref);
    expect((await read(harness, 'email')).log).toMatchObject([
      { number: 2, replay: 1, outcome: 'delivered', duration_ms: 0 },
      { number: 1, replay: 0, outcome: 'interrupted' },
    ]);
  });

  it('shows paused attempts and permanent failures', async () => {
    const harness = await ran(receivers);
    harness.fakes.push = () => Promise.resolve({ kind: 'paused', readBack: 'sampled' });
    await harness.pushFile(ref);
    const file = (await harness.exports.job(ref))?.value.file;
    await harness.files.remove(file?.key ?? '');
    harness.fakes.now += 1000;
    await harness.pushFile(ref);
    expect((await read(harness, 'sftp')).log).toMatchObject([
      { number: 2, outcome: 'failed', error: 'the file is no longer kept', read_back: null },
      { number: 1, outcome: 'paused', error: null, read_back: 'sampled' },
    ]);
  });

  it('keeps the newest attempts, in an item that stays small', async () => {
    const harness = await ran(receivers);
    for (let replay = 0; replay < 10; replay += 1) {
      for (let number = 0; number < 8; number += 1) await attempt(harness, answered(500));
      bodyOf(await harness.replay(at('webhook')));
    }
    const { log, attempts } = await read(harness, 'webhook');
    expect(attempts).toBe(0);
    expect(log.map(({ number }) => number)).toEqual(
      Array.from({ length: limits.exports.attemptsKept }, (_, index) => 80 - index),
    );
    const item = harness.table.items().find(({ sk }) => sk.includes('#webhook'));
    expect(JSON.stringify(item).length).toBeLessThan(4_500);
  });

  it('holds no secret, no address and no word of the other side', async () => {
    const harness = await ran(receivers);
    await attempt(harness, { kind: 'answered', status: 302, retryAfter: 'PEER, not a date' });
    await harness.sendEmail(ref);
    const told = JSON.stringify([await read(harness, 'webhook'), await read(harness, 'email')]);
    for (const word of ['PEER', 'secret-path', 'hooks.example', '@example.test', 'whsec'])
      expect(told).not.toContain(word);
  });

  it('is of this job alone, and of an export that is there', async () => {
    const harness = await ran(receivers);
    for (const wrong of [at('fax'), { ...at('email'), job_id: '1' }, { ...at('email'), export_id: '1' }])
      expect(await harness.readDelivery(wrong)).toMatchObject({ ok: false, error: { status: 404 } });
    bodyOf(await harness.remove(path));
    for (const answer of [
      harness.readDelivery(at('email')),
      harness.listDeliveries(path),
      harness.replay(at('email')),
    ])
      expect(await answer).toMatchObject({ ok: false, error: { status: 404 } });
  });
});

describe('deliveries of an export that was deleted', () => {
  it('end, whatever was to come', async () => {
    const harness = await ran(receivers);
    await attempt(harness, answered(500));
    const calls = harness.sent.length;
    bodyOf(await harness.remove(path));
    harness.fakes.now += 10_000;
    for (const deliver of [harness.deliver, harness.sendEmail, harness.pushFile])
      expect(await deliver(ref)).toEqual({ delivered: true, exhausted: false, wait_seconds: 0 });
    expect([harness.sent.length, harness.mails]).toEqual([calls, []]);
  });

  it('and of a job that is too long ago are given up', async () => {
    const harness = await ran(receivers);
    for (const { pk, sk, w } of harness.table.items().filter((item) => item.sk.startsWith('DEFINITION#')))
      await harness.table.write({ kind: 'delete', key: { pk, sk }, expect: { w } });
    expect(await harness.sendEmail(ref)).toMatchObject({ exhausted: true });
    expect(await read(harness, 'email')).toMatchObject({
      state: 'exhausted',
      last_error: 'the job is too long ago',
    });
  });
});

describe('the copy of a definition that a job works by', () => {
  it('ends when its file has ended, also after the export was deleted', async () => {
    const harness = await ran(receivers);
    bodyOf(await harness.remove(path));
    const copies = harness.table.items().filter(({ sk }) => sk.startsWith('DEFINITION#'));
    const days = copies.map(({ ttl }) => (Number(ttl) * 1000 - harness.fakes.now) / 86_400_000);
    expect(days).toEqual([36]);
  });
});
