import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createFaults } from '../../../core/faults.ts';
import { createSqs, type DirectQueue } from '../../../services/sqs/sqs.ts';
import type { QueueDefinition } from '../../../services/sqs/queue.ts';
import { addCaller, allow, clientOf } from '../../gateway/cloud.ts';
import { newFolders } from '../../support/folders.ts';
import { startSqs } from './queues.ts';

const newFolder = newFolders();
let now = Date.now();
let count = 0;
const { sqs, gateway, client, stop } = await startSqs({ now: () => now });
afterAll(stop);

const create = (
  more: Partial<QueueDefinition> = {},
  name = `queue-${count++}${more.fifo ? '.fifo' : ''}`,
) => ({
  ...sqs.createQueue({ name, ...more }),
  direct: sqs.queue(name),
});
const pass = (seconds: number) => {
  now += seconds * 1000;
};
const bodies = async (queue: DirectQueue, max = 10) => (await queue.receive(max, 0)).map(({ body }) => body);

describe('over HTTP', () => {
  it('a message is sent, received, hidden and deleted', async () => {
    const { url: QueueUrl } = create();
    const MessageAttributes = { version: { DataType: 'Number', StringValue: '1' } };
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'héllo', MessageAttributes }));
    const receive = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ['All'],
    });
    const { Messages = [] } = await client.send(receive);
    expect(Messages).toMatchObject([
      { Body: 'héllo', MessageAttributes, Attributes: { ApproximateReceiveCount: '1' } },
    ]);
    expect((await client.send(receive)).Messages).toBeUndefined();
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle }));
    pass(60);
    expect((await client.send(receive)).Messages).toBeUndefined();
  });

  it('batches report each entry', async () => {
    const { url: QueueUrl, direct } = create();
    const sent = await client.send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: [
          { Id: 'good', MessageBody: 'good' },
          { Id: 'bad', MessageBody: 'bell \u0007' },
        ],
      }),
    );
    expect(sent.Successful?.map(({ Id }) => Id)).toEqual(['good']);
    expect(sent.Failed).toMatchObject([{ Id: 'bad', SenderFault: true, Code: 'InvalidMessageContents' }]);
    const [message] = await direct.receive(10, 0);
    const Entries = [
      { Id: '1', ReceiptHandle: message?.receiptHandle },
      { Id: '2', ReceiptHandle: randomUUID() },
    ];
    const deleted = await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    expect(deleted.Successful).toHaveLength(2);
    expect(direct.counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it('one MiB is the limit of a message and of a batch', async () => {
    const { url: QueueUrl } = create();
    const MessageBody = 'x'.repeat(1_048_576);
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    await expect(
      client.send(new SendMessageCommand({ QueueUrl, MessageBody: `${MessageBody}x` })),
    ).rejects.toThrow('shorter than 1048576');
    const Entries = ['1', '2'].map((Id) => ({ Id, MessageBody: 'x'.repeat(600_000) }));
    await expect(client.send(new SendMessageBatchCommand({ QueueUrl, Entries }))).rejects.toMatchObject({
      name: 'BatchRequestTooLong',
    });
  });

  it('a waiting receive returns as soon as a message arrives', async () => {
    const { url: QueueUrl, direct } = create();
    const waiting = client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    await client.send(new GetQueueUrlCommand({ QueueName: direct.name }));
    direct.send('late');
    expect((await waiting).Messages).toMatchObject([{ Body: 'late' }]);
  });

  it('a queue reports its attributes, and errors have the codes of SQS', async () => {
    const { url: QueueUrl, arn } = create();
    const answer = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    expect(answer.Attributes).toMatchObject({ QueueArn: arn, ApproximateNumberOfMessages: '0' });
    await expect(client.send(new GetQueueUrlCommand({ QueueName: 'nobody' }))).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
    });
    const change = { QueueUrl, ReceiptHandle: randomUUID(), VisibilityTimeout: 1 };
    await expect(client.send(new ChangeMessageVisibilityCommand(change))).rejects.toMatchObject({
      name: 'MessageNotInflight',
    });
  });

  it('a denial names action and queue', async () => {
    const { url: QueueUrl, arn } = create();
    addCaller(gateway, 'sender', [allow(['sqs:SendMessage'], [arn])]);
    const sender = new SQSClient(clientOf(gateway, 'sender'));
    const Entries = [{ Id: '1', MessageBody: 'allowed' }];
    await sender.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    await expect(sender.send(new ReceiveMessageCommand({ QueueUrl }))).rejects.toThrow(
      `not authorized to perform: sqs:ReceiveMessage on resource: ${arn} because`,
    );
    const Entry = { Id: '1', ReceiptHandle: randomUUID(), VisibilityTimeout: 30 };
    const hide = new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: [Entry] });
    await expect(sender.send(hide)).rejects.toThrow(
      `not authorized to perform: sqs:ChangeMessageVisibility on resource: ${arn} because`,
    );
    sender.destroy();
  });
});

describe('visibility', () => {
  it('an undeleted message comes back after the timeout, and moves to the dead-letter queue after too many receives', async () => {
    const dead = create();
    const { direct } = create({ visibilityTimeout: 10, redrive: { arn: dead.arn, maxReceiveCount: 2 } });
    direct.send('stubborn');
    expect(await bodies(direct)).toEqual(['stubborn']);
    pass(9);
    expect(await bodies(direct)).toEqual([]);
    pass(1);
    expect(await bodies(direct)).toEqual(['stubborn']);
    pass(10);
    expect(await bodies(direct)).toEqual([]);
    expect(dead.direct.counts().visible).toBe(1);
    await client.send(new StartMessageMoveTaskCommand({ SourceArn: dead.arn }));
    expect(await bodies(direct)).toEqual(['stubborn']);
    expect(dead.direct.counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it('the receiver changes the visibility of a message, and a wait ends when the timeout runs out', async () => {
    const { direct } = create({ visibilityTimeout: 10 });
    direct.send('again');
    const [first] = await direct.receive(1, 0);
    direct.changeVisibility(first?.receiptHandle ?? '', 100);
    pass(50);
    expect(await bodies(direct)).toEqual([]);
    direct.changeVisibility(first?.receiptHandle ?? '', 0);
    expect(await bodies(direct)).toEqual(['again']);
    expect(direct.counts()).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
  });

  it('a queue delays messages and drops them after the retention period', async () => {
    const { direct } = create({ delay: 5, retention: 60 });
    direct.send('delayed');
    expect(await bodies(direct)).toEqual([]);
    expect(direct.counts().delayed).toBe(1);
    pass(5);
    expect(await bodies(direct)).toEqual(['delayed']);
    pass(60);
    expect(await bodies(direct)).toEqual([]);
    expect(direct.counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  it('a caller can end the wait of a receive', async () => {
    const { direct } = create();
    const stop = new AbortController();
    const waiting = direct.receive(1, 60_000, stop.signal);
    stop.abort();
    expect(await waiting).toEqual([]);
  });
});

describe('FIFO', () => {
  const send = (queue: DirectQueue, body: string, groupId: string) =>
    queue.send(body, { groupId, deduplicationId: `${groupId}${body}` });

  it('a FIFO queue keeps the order of a group, one receiver at a time, while other groups go on', async () => {
    const { direct } = create({ fifo: true, visibilityTimeout: 10 });
    for (const body of ['1', '2', '3']) send(direct, body, 'a');
    send(direct, '1', 'b');
    const first = await direct.receive(2, 0);
    expect(first.map(({ body, attributes }) => `${attributes['MessageGroupId']}${body}`)).toEqual([
      'a1',
      'a2',
    ]);
    const second = await direct.receive(10, 0);
    expect(second.map(({ body, attributes }) => `${attributes['MessageGroupId']}${body}`)).toEqual(['b1']);
    direct.delete(first[0]?.receiptHandle ?? '');
    expect(await bodies(direct)).toEqual([]);
    pass(10);
    expect(await bodies(direct)).toEqual(['2', '3', '1']);
  });

  it('a deletion lets a waiting receiver have the next message of the group', async () => {
    const { direct } = create({ fifo: true });
    send(direct, '1', 'a');
    send(direct, '2', 'a');
    const [first] = await direct.receive(1, 0);
    const waiting = direct.receive(1, 60_000);
    direct.delete(first?.receiptHandle ?? '');
    expect((await waiting).map(({ body }) => body)).toEqual(['2']);
  });

  it('a FIFO queue drops a second message with the same deduplication id within five minutes', async () => {
    const { direct, url: QueueUrl } = create({ fifo: true, contentBasedDeduplication: true });
    const message = { QueueUrl, MessageBody: 'same', MessageGroupId: 'a' };
    const first = await client.send(new SendMessageCommand(message));
    const second = await client.send(new SendMessageCommand(message));
    expect(second.MessageId).toBe(first.MessageId);
    expect(direct.counts().visible).toBe(1);
    pass(301);
    await client.send(new SendMessageCommand(message));
    expect(direct.counts().visible).toBe(2);
    await expect(client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }))).rejects.toMatchObject({
      name: 'MissingParameter',
    });
  });
});

describe('faults', () => {
  const deliveries = async (seed: number, rate: number): Promise<string[]> => {
    const disturbed = createSqs({ origin: gateway.url, faults: createFaults(seed, rate) });
    disturbed.createQueue({ name: 'disturbed' });
    const queue = disturbed.queue('disturbed');
    for (let index = 0; index < 20; index++) queue.send(String(index));
    const seen: string[] = [];
    for (let round = 0; round < 40; round++) {
      for (const { body, receiptHandle } of await queue.receive(5, 0)) {
        seen.push(body);
        if (round > 10) queue.delete(receiptHandle);
      }
    }
    disturbed.close();
    return seen;
  };

  it('faults deliver messages twice and out of order, all at least once, and equally for equal seeds', async () => {
    const seen = await deliveries(7, 0.3);
    expect(new Set(seen).size).toBe(20);
    expect(seen.length).toBeGreaterThan(20);
    expect(seen).not.toEqual(seen.toSorted((left, right) => Number(left) - Number(right)));
    expect(await deliveries(7, 0.3)).toEqual(seen);
    expect(await deliveries(8, 0.3)).not.toEqual(seen);
  });

  it('faults at a rate of one still deliver every message', async () => {
    expect(new Set(await deliveries(7, 1)).size).toBe(20);
  });

  it('faults also deliver a message twice to a receiver that deletes it first, and never a third time', async () => {
    const disturbed = createSqs({ origin: gateway.url, faults: createFaults(7, 1) });
    disturbed.createQueue({ name: 'disturbed' });
    const queue = disturbed.queue('disturbed');
    queue.send('doubled');
    const seen: (readonly string[])[] = [];
    for (let round = 0; round < 3; round++) {
      const received = await queue.receive(1, 0);
      seen.push(received.map(({ attributes }) => attributes['ApproximateReceiveCount'] ?? ''));
      for (const { receiptHandle } of received) queue.delete(receiptHandle);
    }
    expect(seen).toEqual([['1'], ['2'], []]);
    disturbed.close();
  });
});

it('messages survive a restart with a data directory, receive counts included', async () => {
  const dataDir = newFolder();
  const open = () => {
    const opened = createSqs({ origin: gateway.url, dataDir });
    opened.createQueue({ name: 'kept' });
    return { opened, queue: opened.queue('kept') };
  };
  const before = open();
  for (const body of ['deleted', 'in flight', 'waiting']) before.queue.send(body);
  const [gone] = await before.queue.receive(2, 0);
  before.queue.delete(gone?.receiptHandle ?? '');
  before.opened.close();
  const after = open();
  const messages = await after.queue.receive(10, 0);
  const seen = messages.map(({ body, attributes }) => [body, attributes['ApproximateReceiveCount']]);
  expect(seen).toEqual([
    ['in flight', '2'],
    ['waiting', '1'],
  ]);
  after.opened.close();
});
