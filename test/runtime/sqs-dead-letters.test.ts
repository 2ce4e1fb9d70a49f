import {
  ChangeMessageVisibilityCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SQSClient,
  SQSServiceException,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Gateway } from '../../local/gateway/gateway.ts';
import { createSqs, type Sqs } from '../../local/services/sqs/sqs.ts';
import { deadLetterQueues } from '../../shared/runtime/sqs-dead-letters.ts';
import { clientOf, startGateway } from '../../local/test/gateway/cloud.ts';

let gateway: Gateway;
let sqs: Sqs;

beforeAll(async () => {
  gateway = await startGateway([]);
  sqs = createSqs({ origin: gateway.url });
  gateway.addService(sqs.service);
  for (const name of ['work-dead-letters', 'work']) sqs.createQueue({ name });
});
afterAll(async () => {
  sqs.close();
  await gateway.close();
});

/** A client whose calls of one operation SQS refuses with this error. */
const refusing = (operation: string, name: string, message: string): SQSClient => {
  const client = new SQSClient(clientOf(gateway));
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        commandName === `${operation}Command`
          ? Promise.reject(new SQSServiceException({ name, message, $fault: 'client', $metadata: {} }))
          : next(args),
    { step: 'initialize' },
  );
  return client;
};

const queues = () => deadLetterQueues(new SQSClient(clientOf(gateway)));

it('a look at messages leaves all of them in the queue, visible to a redrive at once', async () => {
  const dead = sqs.queue('work-dead-letters');
  for (let index = 0; index < 25; index += 1) dead.send(`letter ${index}`);
  const bodies = (await queues().look('work-dead-letters', 100)).map(({ body }) => body);
  expect(new Set(bodies).size).toBe(25);
  expect(await queues().look('work-dead-letters', 12)).toHaveLength(12);
  expect(dead.counts()).toMatchObject({ visible: 25, inFlight: 0 });
  expect(await queues().count('work-dead-letters')).toBe(25);
});

it('messages at which somebody looks count as messages of the queue', async () => {
  const client = new SQSClient(clientOf(gateway));
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: 'work-dead-letters' }));
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 5 }),
  );
  expect(await queues().count('work-dead-letters')).toBe(25);
  for (const { ReceiptHandle } of Messages)
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
});

it('a move takes all messages to the queue of that name, and a purge deletes them', async () => {
  expect(await queues().moveBack('work-dead-letters', 'work')).toBe(true);
  expect([sqs.queue('work-dead-letters').counts().visible, sqs.queue('work').counts().visible]).toEqual([
    0, 25,
  ]);
  expect(await queues().purge('work')).toBe(true);
  expect(await queues().count('work')).toBe(0);
});

it('a move or a deletion beside another one is told from a failure', async () => {
  // SQS has no error name of its own for this: the message tells it.
  const running = 'There is already a task running. Only one active task is allowed for a source queue arn.';
  const moving = refusing('StartMessageMoveTask', 'InvalidParameterValue', running);
  expect(await deadLetterQueues(moving).moveBack('work-dead-letters', 'work')).toBe(false);
  const purging = refusing('PurgeQueue', 'PurgeQueueInProgress', 'Only one PurgeQueue every 60 seconds.');
  expect(await deadLetterQueues(purging).purge('work')).toBe(false);
  const broken = refusing('PurgeQueue', 'InternalError', 'Something went wrong.');
  await expect(deadLetterQueues(broken).purge('work')).rejects.toThrow('Something went wrong.');
});
