import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { nextAttempt } from '../../shared/deliveries/retry-plan.ts';
import type { SendOutcome, WebhookCall } from '../../shared/webhooks/sender.ts';
import { systemResolve, webhookSender } from '../../shared/webhooks/sender.ts';
import { openReceiver } from '../support/webhook-receiver.ts';
import { answered, fileOf, path, ran, ref, runAll, withPeople, writeParts } from './steps.ts';
import { bodyOf, type ExportsHarness, segment } from './harness.ts';

const HOUR = 3_600_000;
const ok = answered(200);

/**
 * A harness with an export that has not run yet. The webhook gives these answers in order, and repeats the last answer.
 */
const asked = async (
  answers: readonly SendOutcome[],
  url = 'https://hooks.example.com/x',
): Promise<{ harness: ExportsHarness; calls: WebhookCall[]; secret: string }> => {
  const calls: WebhookCall[] = [];
  const harness = withPeople({
    send: (call) => {
      calls.push(call);
      return Promise.resolve(answers[Math.min(calls.length, answers.length) - 1] ?? ok);
    },
  });
  const body = bodyOf(
    await harness.create({ name: 'Jazz, weekly', segment: [segment(2)], webhook_url: url }),
  );
  // The receiver's library compares the time of the signature with the machine's clock.
  harness.fakes.now = Date.now();
  return { harness, calls, secret: String(body['webhook_secret']) };
};

const told = async (...answers: readonly SendOutcome[]) => {
  const made = await asked(answers);
  await runAll(made.harness);
  return made;
};

const deliveries = v.array(v.looseObject({ last_error: v.nullable(v.string()) }));
const deliveryOf = async (harness: ExportsHarness) =>
  v.parse(deliveries, bodyOf(await harness.readJob(path))['deliveries']);

describe('a webhook', () => {
  it('is told by a signed message over the wire', async () => {
    await using receiver = await openReceiver();
    const { harness, secret } = await asked([ok], receiver.url);
    harness.fakes.send = webhookSender({
      resolve: systemResolve,
      privateTargets: 'loopback',
      timeoutMs: 10_000,
    });
    await runAll(harness);
    expect(await harness.deliver(ref)).toEqual({ delivered: true, exhausted: false, wait_seconds: 0 });
    const { headers, body } = await receiver.next();
    const job = bodyOf(await harness.readJob(path));
    const { bytes } = await fileOf(harness);
    expect(new Webhook(secret).verify(body, headers)).toEqual({
      type: 'export.completed',
      export_id: String(ref.export),
      export_name: 'Jazz, weekly',
      file_name: `${ref.export}-${ref.job}.csv`,
      job_id: String(ref.job),
      status: 'complete',
      location: job['location'],
      s3_object: null,
      rows: 2,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      timestamp: job['finished'],
    });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(headers['content-type']).toBe('application/json');
    expect(job['deliveries']).toMatchObject([
      { kind: 'webhook', state: 'delivered', attempts: 1, last_error: null },
    ]);
    expect(await harness.deliver(ref)).toMatchObject({ delivered: true });
    expect(receiver.calls).toHaveLength(1);
  });

  it('is not told before the file is there', async () => {
    const { harness, calls } = await asked([ok]);
    await expect(harness.deliver(ref)).rejects.toThrow('has not ended');
    await harness.plan(ref);
    await expect(harness.deliver(ref)).rejects.toThrow('has not ended');
    await writeParts(harness);
    await expect(harness.deliver(ref)).rejects.toThrow('has not ended');
    expect(calls).toEqual([]);
    expect(await deliveryOf(harness)).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  });

  it('is told of a failure too', async () => {
    const { harness, calls, secret } = await asked([ok]);
    await harness.fail(ref, 'Error');
    expect(await harness.deliver(ref)).toMatchObject({ delivered: true });
    const [call] = calls;
    expect(new Webhook(secret).verify(call?.body ?? '', { ...call?.headers })).toMatchObject({
      type: 'export.failed',
      status: 'failed',
      location: null,
      rows: null,
      sha256: null,
    });
  });

  it('that an export does not have is done with', async () => {
    const harness = await ran();
    expect(await harness.deliver(ref)).toEqual({ delivered: true, exhausted: false, wait_seconds: 0 });
  });

  it.each([200, 201, 204, 299])('that answers %i has been told', async (status) => {
    const { harness } = await told(answered(status));
    expect(await harness.deliver(ref)).toMatchObject({ delivered: true });
  });

  it.each([199, 301, 302, 400, 401, 404, 500, 503])('that answers %i is told again', async (status) => {
    const { harness } = await told(answered(status));
    expect(await harness.deliver(ref)).toEqual({ delivered: false, exhausted: false, wait_seconds: 5 });
    expect(await deliveryOf(harness)).toMatchObject([
      { state: 'retrying', attempts: 1, last_error: `answered ${status}`, delivered: null },
    ]);
  });

  it('keeps its message id and gets a fresh signature at each attempt', async () => {
    const { harness, calls, secret } = await told(answered(500), ok);
    const { wait_seconds } = await harness.deliver(ref);
    harness.fakes.now += wait_seconds * 1000;
    expect(await harness.deliver(ref)).toMatchObject({ delivered: true });
    const [first, second] = calls;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(new Webhook(secret).verify(second?.body ?? '', { ...second?.headers })).toBeDefined();
    expect(await deliveryOf(harness)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  it('that answers 410 Gone gets no more calls until a client asks for a replay', async () => {
    const { harness, calls } = await told(answered(410), ok);
    const end = { delivered: false, exhausted: true, wait_seconds: 0 };
    expect(await harness.deliver(ref)).toEqual(end);
    expect(await harness.deliver(ref)).toEqual(end);
    expect(calls).toHaveLength(1);
    expect(await deliveryOf(harness)).toMatchObject([
      { state: 'exhausted', attempts: 1, last_error: 'answered 410: gone for good', next_attempt: null },
    ]);
    const delivery = { ...path, delivery: `${ref.job}-webhook` };
    expect(bodyOf(await harness.readDelivery(delivery))['log']).toMatchObject([
      { outcome: 'failed', http_status: 410 },
    ]);
    bodyOf(await harness.replay(delivery));
    expect(await harness.deliver(ref)).toMatchObject({ delivered: true });
  });

  it('is told of in coarse words: neither names nor ports can be explored', async () => {
    const reasons = ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'no answer in time'];
    const told = new Set<unknown>();
    for (const outcome of [
      { kind: 'refused' } as const,
      ...reasons.map((reason) => ({ kind: 'failed', failure: 'unreachable', reason }) as const),
    ]) {
      const send = () => Promise.resolve(outcome);
      const harness = await ran({ webhook_url: 'https://hooks.example.com/' }, { send });
      await harness.deliver(ref);
      for (const { last_error } of await deliveryOf(harness)) told.add(last_error);
    }
    expect([...told]).toEqual(['no server can be reached there']);
  });
});

describe('retries', () => {
  it('of many deliveries that failed at once are spread, and never come earlier', () => {
    const failed = { attempts: 2, first: 0, now: 1_000, retryAfter: undefined };
    const waits = [0, 0.5, 1].map((random) => (nextAttempt({ ...failed, random }) ?? 0) - 1_000);
    expect(waits).toEqual([300_000, 330_000, 360_000]);
    const asked = nextAttempt({ ...failed, retryAfter: '900', random: 1 }) ?? 0;
    expect(asked - 1_000).toBe(960_000);
    expect(nextAttempt({ ...failed, attempts: 8, now: 71 * HOUR, random: 1 })).toBe(72 * HOUR);
  });

  it('take their chance from outside', async () => {
    const { harness } = await told(answered(500));
    harness.fakes.random = 1;
    expect(await harness.deliver(ref)).toMatchObject({ wait_seconds: 6 });
  });

  /** Follows the workflow: waits as told. Returns the hours of the attempts after the first. */
  const follow = async (downHours: number): Promise<{ hours: number[]; delivered: boolean }> => {
    const { harness } = await told(answered(500));
    const start = harness.fakes.now;
    const hours: number[] = [];
    harness.fakes.send = () =>
      Promise.resolve(harness.fakes.now - start >= downHours * HOUR ? ok : answered(500));
    for (let attempt = 0; attempt < 30; attempt += 1) {
      const { delivered, exhausted, wait_seconds } = await harness.deliver(ref);
      if (delivered || exhausted) return { hours, delivered };
      harness.fakes.now += wait_seconds * 1000;
      hours.push((harness.fakes.now - start) / HOUR);
    }
    throw new Error('does not end');
  };

  it('grow, and the last one comes after three days', async () => {
    const { hours, delivered } = await follow(80);
    expect(delivered).toBe(false);
    expect(hours.at(-1)).toBe(72);
    expect(hours.length).toBeLessThan(12);
  });

  it('reach a receiver that was down for 71 hours', async () => {
    expect(await follow(71)).toMatchObject({ delivered: true });
  });

  it('are over once given up', async () => {
    const { harness, calls } = await told(answered(500));
    await harness.deliver(ref);
    harness.fakes.now += 72 * HOUR;
    const end = { delivered: false, exhausted: true, wait_seconds: 0 };
    expect(await harness.deliver(ref)).toEqual(end);
    expect(await harness.deliver(ref)).toEqual(end);
    expect(calls).toHaveLength(2);
    expect(await deliveryOf(harness)).toMatchObject([{ state: 'exhausted', next_attempt: null }]);
  });

  it.each([
    ['60', 60],
    ['2', 5],
    ['99999999', 24 * 3600],
    ['-1', 5],
    ['', 5],
    ['soon', 5],
    ['9'.repeat(400), 5],
    ['Wed, 21 Oct 2099 07:28:00 GMT', 24 * 3600],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 5],
  ])('honour Retry-After %j within bounds', async (retryAfter, seconds) => {
    const { harness } = await told(answered(429, retryAfter));
    expect(await harness.deliver(ref)).toMatchObject({ wait_seconds: seconds });
  });
});
