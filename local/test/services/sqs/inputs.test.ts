import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from 'vitest';
import { startSqs } from './queues.ts';

const { sqs, client, stop } = await startSqs();
const QueueUrl = sqs.createQueue({ name: 'queue' }).url;
afterAll(stop);

describe('a receipt handle', () => {
  it.each(['', 'nonsense', 'AQEBzbVv', '0'.repeat(36)])(
    'a receipt handle that no queue gave out is refused: %j',
    async (handle) => {
      const invalid = { name: 'ReceiptHandleIsInvalid' };
      const receipt = { QueueUrl, ReceiptHandle: handle };
      await expect(client.send(new DeleteMessageCommand(receipt))).rejects.toMatchObject(invalid);
      const hide = new ChangeMessageVisibilityCommand({ ...receipt, VisibilityTimeout: 1 });
      await expect(client.send(hide)).rejects.toMatchObject(invalid);
      const Entries = [{ Id: '1', ReceiptHandle: handle }];
      const { Failed } = await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      expect(Failed).toMatchObject([{ Id: '1', SenderFault: true, Code: 'ReceiptHandleIsInvalid' }]);
    },
  );

  it('a receipt handle may be used again after its message is gone', async () => {
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a' }));
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
    const receipt = { QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle };
    for (let again = 0; again < 2; again += 1) await client.send(new DeleteMessageCommand(receipt));
    expect(sqs.queue('queue').counts().inFlight).toBe(0);
  });
});

describe('the ids of a batch', () => {
  const send = (Id: string) =>
    client.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id, MessageBody: 'a' }] }));

  it.each(['', 'a b', 'ä', 'a/b', 'x'.repeat(81)])('the batch id %j is refused', async (id) => {
    await expect(send(id)).rejects.toMatchObject({ name: 'InvalidBatchEntryId' });
    expect(sqs.queue('queue').counts().visible).toBe(0);
  });

  it('a batch id may hold letters, digits, hyphens and underscores', async () => {
    for (const id of ['x'.repeat(80), 'a-b_C1']) expect((await send(id)).Failed ?? []).toEqual([]);
  });
});
