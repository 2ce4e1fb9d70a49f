import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { segmentChanges } from '../../shared/exports/model/export-events.ts';
import type { SendOutcome, WebhookCall } from '../../shared/webhooks/sender.ts';
import { dyingAnywhere } from '../support/death.ts';
import { bodyOf, type ExportsHarness, type HarnessOptions, profile, segment } from './harness.ts';
import { answered, columnsOf, jobPath, jobRef, path, ref, runAll, runNext, withPeople } from './steps.ts';

const ok = answered(200);
const url = 'https://crm.example/hooks';
const feed = {
  ...{ segment: [segment(2)], scope: 'delta', data_format: 'jsonl' },
  ...columnsOf('profile_uuid', 'email', 'first_name', 'extra_data'),
  changes: { url, first: 'all' },
};

/** People enough for three calls. */
const COUNT = 1_200;
const crowd = (count = COUNT) => Array.from({ length: count }, (_, ordinal) => ordinal);

interface Feed {
  readonly harness: ExportsHarness;
  readonly secret: string;
}

/** An export whose first job is complete and has told nothing yet. */
const complete = async (
  options: HarnessOptions & { count?: number } = {},
  more: object = {},
): Promise<Feed> => {
  const { count = COUNT } = options;
  const harness = withPeople({ ...options, count, members: crowd(count) });
  harness.fakes.now = Date.now();
  const body = bodyOf(await harness.create({ ...feed, ...more }));
  await runAll(harness);
  return { harness, secret: String(body['webhook_secret']) };
};

/** A receiver that gives these answers in order, and then takes everything. */
const answering = (harness: ExportsHarness, ...answers: readonly SendOutcome[]): void => {
  const left = [...answers];
  harness.fakes.send = () => Promise.resolve(left.shift() ?? ok);
};

const bodyIn = ({ body }: WebhookCall) => v.parse(segmentChanges, JSON.parse(body));
const idIn = ({ headers }: WebhookCall): string => headers['webhook-id'] ?? '';
const partId = (part: number): string => `msg_export_job_${ref.job}_changes_${part}`;

const deliverySchema = v.looseObject({ state: v.string(), last_error: v.nullable(v.string()) });
const deliveryOf = async (harness: ExportsHarness, job = path) =>
  v.parse(deliverySchema, bodyOf(await harness.readDelivery({ ...job, delivery: `${job.job_id}-changes` })));

const pastNextAttempt = (harness: ExportsHarness) => {
  harness.fakes.now += 3 * 3_600_000;
};

describe('the receiver of changes', () => {
  it('is told everybody in signed calls of at most 500', async () => {
    const { harness, secret } = await complete();
    answering(harness);
    expect(await harness.tellChanges(ref)).toMatchObject({ delivered: true });
    const bodies = harness.sent.map(bodyIn);
    expect(harness.sent.map(({ url: called }) => called)).toEqual([url, url, url]);
    expect(harness.sent.map(idIn)).toEqual([1, 2, 3].map(partId));
    expect(bodies.map(({ part, last, changes }) => [part, last, changes.length])).toEqual([
      ...[
        [1, false, 500],
        [2, false, 500],
        [3, true, 200],
      ],
    ]);
    const uuids = bodies.flatMap(({ changes }) => changes.map((change) => change.profile.profile_uuid));
    expect(new Set(uuids).size).toBe(COUNT);
    expect(bodies[0]).toMatchObject({
      ...{ type: 'segment.changes', export_id: path.export_id, job_id: path.job_id, delta_from: null },
    });
    expect(bodies[0]?.changes[0]).toMatchObject({
      ...{ change: 'added', profile: { email: 'p0@example.test', first_name: 'O"Neill,\r\nJr.' } },
    });
    for (const { body, headers } of harness.sent)
      expect(new Webhook(secret).verify(body, { ...headers })).toMatchObject({ job_id: path.job_id });
    expect(await deliveryOf(harness)).toMatchObject({
      ...{ kind: 'changes', state: 'delivered', part: 3, sent: COUNT, last_error: null },
    });
    expect(await harness.tellChanges(ref)).toMatchObject({ delivered: true });
    expect(harness.sent).toHaveLength(3);
  });

  it('gets calls of less than 256 KB, and a larger change in a call of its own', async () => {
    const long = (length: number) => ({ extra: { note: 'x'.repeat(length) } });
    const harness = withPeople({ members: crowd(5) });
    [100_000, 100_000, 100_000, 900_000, 10].forEach((length, ordinal) =>
      harness.fakes.profiles.set(ordinal, profile(ordinal, long(length))),
    );
    bodyOf(await harness.create(feed));
    await runAll(harness);
    answering(harness);
    await harness.tellChanges(ref);
    const sizes = harness.sent.map((call) => [bodyIn(call).changes.length, call.body.length]);
    expect(sizes.map(([count]) => count)).toEqual([2, 1, 1, 1]);
    expect(sizes.filter(([, size = 0]) => size > 256_000)).toHaveLength(1);
  });

  it('goes on after a refused call, with its id and its content', async () => {
    const { harness } = await complete();
    answering(harness, ok, answered(503));
    expect(await harness.tellChanges(ref)).toMatchObject({ delivered: false, exhausted: false });
    expect(await deliveryOf(harness)).toMatchObject({
      state: 'retrying',
      part: 1,
      sent: 500,
      last_error: 'answered 503',
    });
    pastNextAttempt(harness);
    await harness.tellChanges(ref);
    expect(harness.sent.map(idIn)).toEqual([1, 2, 2, 3].map(partId));
    expect(harness.sent[2]?.body).toBe(harness.sent[1]?.body);
    expect(await deliveryOf(harness)).toMatchObject({ state: 'delivered', part: 3, sent: COUNT });
  });

  it('is told for as long as an attempt has time, and by the next one after that', async () => {
    const { harness } = await complete();
    harness.fakes.send = () => {
      harness.fakes.now += 400_000;
      return Promise.resolve(ok);
    };
    expect(await harness.tellChanges(ref)).toEqual({ delivered: false, exhausted: false, wait_seconds: 1 });
    expect(await deliveryOf(harness)).toMatchObject({ state: 'retrying', attempts: 0, part: 2 });
    expect(await harness.tellChanges(ref)).toMatchObject({ delivered: true });
    expect(harness.sent.map(idIn)).toEqual([1, 2, 3].map(partId));
  });

  it('that is gone is told nothing more', async () => {
    const { harness } = await complete();
    answering(harness, ok, answered(410));
    expect(await harness.tellChanges(ref)).toMatchObject({ exhausted: true });
    const { last_error } = await deliveryOf(harness);
    expect(last_error).toContain('answered 410: gone for good; given up: the next job tells');
  });

  it('that is away for three days is given up, and the error says what follows', async () => {
    const { harness } = await complete();
    harness.fakes.send = () => Promise.resolve(answered(503));
    await harness.tellChanges(ref);
    harness.fakes.now += 73 * 3_600_000;
    expect(await harness.tellChanges(ref)).toMatchObject({ exhausted: true });
    const { last_error, ...delivery } = await deliveryOf(harness);
    expect(delivery).toMatchObject({ state: 'exhausted', part: 0 });
    expect(last_error).toContain('answered 503; given up: the next job tells');
  });

  it.each([
    ['none', []],
    ['all', [{ part: 1, last: true, delta_from: null, changes: [] }]],
  ])('hears of a first job without members, if it wants to know %s of them', async (first, calls) => {
    const { harness } = await complete({ count: 0 }, { changes: { url, first } });
    answering(harness);
    expect(await harness.tellChanges(ref)).toMatchObject({ delivered: true });
    expect(harness.sent.map(bodyIn)).toMatchObject(calls);
    expect(await deliveryOf(harness)).toMatchObject({ state: 'delivered', part: calls.length, sent: 0 });
  });

  it('is away no longer than an attempt that always dies: after three days the job is given up', async () => {
    const { harness } = await complete();
    harness.fakes.send = () => Promise.reject(new Error('died'));
    await expect(harness.tellChanges(ref)).rejects.toThrow('died');
    harness.fakes.now += 72 * 3_600_000;
    await expect(harness.tellChanges(ref)).rejects.toThrow('died');
    harness.fakes.now += 2 * 3_600_000;
    expect(await harness.tellChanges(ref)).toMatchObject({ exhausted: true });
    const { last_error, ...delivery } = await deliveryOf(harness);
    expect(delivery).toMatchObject({ state: 'exhausted', attempts: 2 });
    expect(last_error).toContain(
      'its attempts were interrupted for three days; given up: the next job tells',
    );
    expect(bodyOf(await harness.runAgain(path))).toMatchObject({ status: 'pending' });
    expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'planned' });
  });

  it('hears nothing of a job without changes, which is delivered as soon as it is complete', async () => {
    const { harness } = await complete({ count: 3 });
    answering(harness);
    await harness.tellChanges(ref);
    const before = harness.started.length;
    await runNext(harness, 2);
    expect(await deliveryOf(harness, jobPath(2))).toMatchObject({ state: 'delivered', attempts: 0, part: 0 });
    await harness.startDeliveries(jobRef(2));
    expect(harness.started.slice(before).filter(({ name }) => name.includes('deliver'))).toEqual([]);
    bodyOf(await harness.runAgain(path));
    expect(await harness.plan(jobRef(3))).toMatchObject({ status: 'planned' });
    expect(bodyOf(await harness.read(path))).toMatchObject({ changes: { told_job: jobPath(2).job_id } });
    expect(harness.sent).toHaveLength(1);
  });

  it('of an earlier revision is told nothing more, not even in the midst of its calls', async () => {
    const { harness } = await complete();
    harness.fakes.send = async () => {
      await harness.replace(path, { ...feed, changes: { url: `${url}/2` } });
      return ok;
    };
    expect(await harness.tellChanges(ref)).toMatchObject({ exhausted: true });
    expect(harness.sent.map(idIn)).toEqual([partId(1)]);
    const { state, last_error } = await deliveryOf(harness);
    expect(state).toBe('exhausted');
    expect(last_error).toContain('has another receiver of changes');
  });

  it('is told nothing of a failed job', async () => {
    const harness = withPeople();
    bodyOf(await harness.create(feed));
    await harness.fail(ref, 'Error');
    expect(await harness.tellChanges(ref)).toMatchObject({ exhausted: true });
    expect(harness.sent).toEqual([]);
    expect(await deliveryOf(harness)).toMatchObject({ last_error: 'the job has no changes to tell' });
  });
});

describe('two attempts at changes', () => {
  it('never take back what is noted: the older one ends', async () => {
    const { harness } = await complete();
    let calls = 0;
    harness.fakes.send = async () => {
      calls += 1;
      // The first attempt is slow: its lease ends, and another attempt tells everything.
      if (calls === 2) {
        harness.fakes.now += 3_600_000;
        await harness.tellChanges(ref);
      }
      return ok;
    };
    expect(await harness.tellChanges(ref)).toMatchObject({ delivered: true });
    expect(harness.sent.map(idIn)).toEqual([1, 2, 2, 3].map(partId));
    expect(await deliveryOf(harness)).toMatchObject({ state: 'delivered', part: 3, sent: COUNT });
  });

  it('never take back what is noted, though the SDK sends an older note again', async () => {
    const { harness } = await complete();
    const { exports } = harness;
    const notes: (() => Promise<unknown>)[] = [];
    const noteTaken = exports.noteTaken.bind(exports);
    exports.noteTaken = async (...note) => {
      const outcome = await noteTaken(...note);
      for (const late of notes) expect(await late()).toBe('refused');
      notes.push(() => noteTaken(...note));
      return outcome;
    };
    answering(harness);
    await harness.tellChanges(ref);
    expect(notes).toHaveLength(3);
    expect(await deliveryOf(harness)).toMatchObject({ state: 'delivered', part: 3, sent: COUNT });
  });
});

it('a death at any operation of a delivery loses no change, and repeats calls with their ids alone', async () => {
  const operations = await dyingAnywhere<Feed>({
    begin: async (before) => {
      const made = await complete({ before });
      answering(made.harness);
      return made;
    },
    run: ({ harness }, through) =>
      through(async () => {
        pastNextAttempt(harness);
        return harness.tellChanges(ref);
      }),
    check: async ({ harness }, fatal) => {
      const taken = new Map(harness.sent.map((call) => [idIn(call), call.body]));
      expect([...taken.keys()], `killed at ${fatal}`).toEqual([1, 2, 3].map(partId));
      for (const call of harness.sent) expect(taken.get(idIn(call)), `killed at ${fatal}`).toBe(call.body);
      expect(harness.sent.length).toBeLessThanOrEqual(4);
      expect(await deliveryOf(harness)).toMatchObject({ state: 'delivered', part: 3, sent: COUNT });
    },
    needsAll: true,
  });
  expect(operations).toBeGreaterThan(15);
});
