import { S3Client, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, describe, expect, it } from 'vitest';

import { startFixture } from './fixtures/cloud.ts';
import { storedBodies } from './fixtures/items.ts';
import { until } from './support/until.ts';

const cloud = await startFixture();
afterAll(() => cloud.stop());

const act = (action: string, body?: string): Promise<Response> =>
  fetch(`${cloud.baseUrl}/files/${action}`, { method: 'POST', ...(body === undefined ? {} : { body }) });

const execution = (name: string) => {
  const found = cloud.parts.engine.ledger.all().find((one) => one.name === name);
  return found?.status === 'RUNNING' ? undefined : found;
};

describe('queues', () => {
  it('deliver a message to the function that is mapped to the queue, and delete it', async () => {
    expect((await act('work', 'hello')).status).toBe(202);
    await until('hello is stored', async () => (await storedBodies(cloud)).includes('hello') || undefined);
    await cloud.idle();
    expect(cloud.parts.storage.sqs.queue(queueName('Work')).counts()).toEqual({
      visible: 0,
      inFlight: 0,
      delayed: 0,
    });
  });

  it('a queue redelivers only the messages that the function reports as failed', async () => {
    await Promise.all(['fail:1 a', 'b', 'c'].map((body) => act('work', body)));
    await cloud.idle();
    const bodies = await storedBodies(cloud);
    expect(bodies.filter((body) => ['fail:1 a', 'b', 'c'].includes(body)).toSorted()).toEqual([
      'b',
      'c',
      'fail:1 a',
    ]);
  });

  it('keep the order of a group', async () => {
    for (const body of ['g1', 'g2', 'g3', 'g4']) await act('group', body);
    await cloud.idle();
    expect((await storedBodies(cloud)).filter((body) => body.startsWith('g'))).toHaveLength(4);
  });

  it('are closed to a function whose role does not name them', async () => {
    expect((await act('foreign', 'x')).status).toBe(500);
    const denial = cloud.gateway.denials.list().find(({ action }) => action === 'sqs:SendMessage');
    expect(denial).toMatchObject({ caller: 'fixture-work-api' });
  });

  it('are not polled while the role lacks an action, and are again once it has it', async () => {
    const giveBack = cloud.gateway.withoutAction('fixture-work-worker', 'sqs:ReceiveMessage');
    await until('a denied poll', () =>
      cloud.gateway.denials.list().find(({ action }) => action === 'sqs:ReceiveMessage'),
    );
    await act('work', 'later');
    giveBack();
    await cloud.idle();
    expect(await storedBodies(cloud)).toContain('later');
  });
});

describe('objects', () => {
  const put = async (Key: string): Promise<void> => {
    const client = new S3Client({
      endpoint: cloud.awsEndpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      ...writer(),
    });
    await client.send(new PutObjectCommand({ Bucket: cloud.deployment.buckets[0]?.name, Key, Body: 'a,b' }));
  };

  it('that match a rule reach its queue as an Object Created event with the key as it is', async () => {
    await put('in/ä b+c.csv');
    await cloud.idle();
    const bodies = await storedBodies(cloud);
    const event = bodies.find((body) => body.includes('Object Created')) ?? '{}';
    expect(JSON.parse(event)).toMatchObject({
      source: 'aws.s3',
      'detail-type': 'Object Created',
      detail: { object: { key: 'in/ä b+c.csv', size: 3 }, reason: 'PutObject' },
    });
  });

  it('an object that matches no rule reaches no target', async () => {
    await put('out/x.csv');
    await cloud.idle();
    expect((await storedBodies(cloud)).some((body) => body.includes('out/x.csv'))).toBe(false);
  });
});

describe('schedules', () => {
  it('call their function with the role that the template gives them', async () => {
    const daily = cloud.deployment.schedules[0]?.name ?? '';
    await cloud.fireSchedule(daily);
    expect((await storedBodies(cloud)).some((body) => body.includes('aws.scheduler'))).toBe(true);
  });

  it('of rules call their function by its permission', async () => {
    const sweep = cloud.deployment.rules.find(({ logicalId }) => logicalId.startsWith('Sweep'))?.name ?? '';
    await cloud.fireSchedule(sweep);
    expect((await storedBodies(cloud)).some((body) => body.includes('aws.events'))).toBe(true);
  });
});

describe('workflows', () => {
  it('run retry, choice, map and wait, with real time', async () => {
    await act('start?name=mapped', '{"command":{"items":3}}');
    const { status, output, started, stopped } = await until('mapped is over', () => execution('mapped'));
    expect(status).toBe('SUCCEEDED');
    expect(JSON.parse(output ?? '')).toMatchObject({
      done: [0, 1, 2].map((index) => ({ value: { item: { index } } })),
    });
    expect((stopped ?? 0) - started).toBeGreaterThanOrEqual(1_000);
  });

  it('retry an error by its name', async () => {
    await act('start?name=flaky', '{"command":{"fail":"Flaky","times":1}}');
    const { status, output } = await until('flaky is over', () => execution('flaky'));
    expect([status, output]).toEqual(['SUCCEEDED', '{"done":[]}']);
  });

  it('a workflow catches an error without a retry', async () => {
    await act('start?name=broken', '{"command":{"fail":"Bad"}}');
    expect(await until('broken is over', () => execution('broken'))).toMatchObject({
      status: 'FAILED',
      error: 'FixtureFailed',
    });
  });

  it('refuse a name that was used, unless it runs with the same input', async () => {
    expect((await act('start?name=once', '{"command":{"items":1}}')).status).toBe(202);
    expect((await act('start?name=once', '{"command":{"items":1}}')).status).toBe(202);
    expect((await act('start?name=once', '{"command":{"items":2}}')).status).toBe(500);
    await until('once is over', () => execution('once'));
    expect((await act('start?name=once', '{"command":{"items":1}}')).status).toBe(500);
  });

  it('cannot call a function that their role may not', async () => {
    const machine = cloud.deployment.machines[0]?.name ?? '';
    const giveBack = cloud.gateway.withoutAction(machine, 'lambda:InvokeFunction');
    await act('start?name=denied', '{"command":{}}');
    const ended = await until('denied is over', () => execution('denied'));
    giveBack();
    expect(ended.status).toBe('FAILED');
    expect(cloud.gateway.denials.list()).toContainEqual(
      expect.objectContaining({ caller: machine, action: 'lambda:InvokeFunction' }),
    );
  });
});

const queueName = (prefix: string): string =>
  cloud.deployment.queues.find(({ logicalId }) => new RegExp(`^${prefix}[0-9A-F]{8}$`).test(logicalId))
    ?.name ?? '';

/** A caller of the test's own who may write objects. */
const writer = () => {
  const keys = { accessKeyId: 'writer', secretAccessKey: 'secret' };
  const policy = [{ effect: 'Allow', actions: ['s3:PutObject'], resources: ['*'], conditions: {} }] as const;
  cloud.gateway.registerCaller({
    ...keys,
    name: 'writer',
    principal: 'arn:aws:iam::000000000000:user/writer',
    policy,
  });
  return { credentials: keys };
};
