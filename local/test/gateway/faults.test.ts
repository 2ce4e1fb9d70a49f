import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFaults, parseFaults, sparing, type CallFault, type Faults } from '../../core/faults.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { createDynamoDb, type DynamoDb } from '../../services/dynamodb/dynamodb.ts';
import { bucketClient, openS3 } from './bucket.ts';
import { createSqs } from '../../services/sqs/sqs.ts';
import { addCaller, allow, clientOf, startGateway } from './cloud.ts';

describe('decisions', () => {
  const fates = (faults: Faults, caller: string, action: string, count = 200) =>
    Array.from({ length: count }, () => faults.call(caller, action)?.fault);

  it('decisions depend on the seed, the caller, the action and their number, not on other calls in between', () => {
    const alone = fates(createFaults(1, 0.3), 'importer', 's3:PutObject');
    const crowded = createFaults(1, 0.3);
    const mixed = Array.from({ length: 200 }, () => {
      crowded.call('exporter', 's3:PutObject');
      crowded.call('importer', 's3:GetObject');
      crowded.decide('duplicate', 'queue');
      return crowded.call('importer', 's3:PutObject')?.fault;
    });
    expect(mixed).toEqual(alone);
    expect(fates(createFaults(2, 0.3), 'importer', 's3:PutObject')).not.toEqual(alone);
    expect(fates(createFaults(1, 0.3), 'exporter', 's3:PutObject')).not.toEqual(alone);
  });

  it('decisions of every kind come at the requested rate', () => {
    const seen = fates(createFaults(3, 0.3), 'importer', 's3:PutObject', 4000).filter(
      (fault) => fault !== undefined,
    );
    expect(seen.length / 4000).toBeCloseTo(0.3, 1);
    for (const kind of ['throttle', 'error', 'lost', 'partial'])
      expect(seen.filter((fault) => fault === kind).length / seen.length).toBeCloseTo(0.25, 1);

    expect(fates(createFaults(3, 0), 'importer', 's3:PutObject').some((fault) => fault !== undefined)).toBe(
      false,
    );
    expect(fates(createFaults(3, 1), 'importer', 's3:PutObject')).not.toContain(undefined);
  });

  it('are asked for as <seed>:<rate>', () => {
    expect(parseFaults('42:0.25')).toMatchObject({ seed: 42, rate: 0.25 });
    for (const text of ['', '42', '42:', ':0.1', '42:2', 'x:0.1', '42:0.1:3', '-1:0.1'])
      expect(() => parseFaults(text)).toThrow('--faults');
  });
});

describe('behind the gateway', () => {
  /** Faults that a test sets by hand. */
  let next: CallFault | undefined;
  let random = 0.4;
  const faults: Faults = {
    ...createFaults(0, 0),
    call: () => {
      const fault = next;
      next = undefined;
      return fault && { fault, random };
    },
  };
  let db: DynamoDb;
  let gateway: Gateway;
  let table: DynamoDBClient;
  const s3 = openS3();

  beforeEach(() => {
    random = 0.4;
  });
  beforeAll(async () => {
    db = await createDynamoDb();
    await db.createTable({ name: 'things', partitionKey: { name: 'pk', type: 'S' } });

    gateway = await startGateway([db.service, s3.service], {
      faults: sparing(faults, (name) => name === 'spared'),
    });
    addCaller(gateway, 'spared', [allow(['*'])]);
    table = new DynamoDBClient(clientOf(gateway));
  });

  afterAll(async () => {
    await gateway.close();
    await db.close();
    s3.close();
  });

  const put = (pk: string) => new PutItemCommand({ TableName: 'things', Item: { pk: { S: pk } } });
  const stored = async (pk: string) =>
    (await db.call('GetItem', { TableName: 'things', Key: { pk: { S: pk } }, ConsistentRead: true })).body[
      'Item'
    ] !== undefined;

  it('throttles and failures are not applied and carry the service’s own codes', async () => {
    const bucket = bucketClient(gateway);
    const upload = new PutObjectCommand({ Bucket: 'files', Key: 'a', Body: 'x'.repeat(2_000_000) });
    for (const [chosen, name] of [
      [0.1, 'ProvisionedThroughputExceededException'],
      [0.5, 'RequestLimitExceeded'],
      [0.9, 'ThrottlingException'],
    ] as const) {
      next = 'throttle';
      random = chosen;
      await expect(table.send(put('throttled'))).rejects.toMatchObject({ name });
    }
    next = 'error';
    await expect(table.send(put('failed'))).rejects.toMatchObject({ name: 'InternalServerError' });
    next = 'throttle';
    await expect(bucket.send(upload)).rejects.toMatchObject({ name: 'SlowDown' });
    next = 'error';
    await expect(bucket.send(upload)).rejects.toMatchObject({ name: 'InternalError' });
    expect([await stored('throttled'), await stored('failed'), s3.list('files')]).toEqual([false, false, []]);
  });

  it('a lost answer was applied', async () => {
    next = 'lost';
    await expect(table.send(put('lost'))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await stored('lost')).toBe(true);
    await s3.put('files', 'big', Buffer.alloc(3_000_000));
    const bucket = bucketClient(gateway);
    next = 'lost';
    await expect(bucket.send(new GetObjectCommand({ Bucket: 'files', Key: 'big' }))).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
  });

  it('a partial batch does some and hands back the rest', async () => {
    const keys = Array.from({ length: 10 }, (_, index) => `partial-${index}`);
    const Statements = keys.map((pk) => ({
      Statement: `INSERT INTO "things" VALUE {'pk':?}`,
      Parameters: [{ S: pk }],
    }));
    next = 'partial';
    const { Responses = [] } = await table.send(new BatchExecuteStatementCommand({ Statements }));
    const codes = Responses.map(({ Error: error }) => error?.Code);
    expect(new Set(codes)).toEqual(new Set([undefined, 'ThrottlingError']));
    expect(await Promise.all(keys.map(stored))).toEqual(codes.map((code) => code === undefined));
    next = 'partial';
    const Keys = keys.map((pk) => ({ pk: { S: pk } }));
    const read = await table.send(
      new BatchGetItemCommand({ RequestItems: { things: { Keys, ConsistentRead: true } } }),
    );
    const late = read.UnprocessedKeys?.['things'];
    expect(late?.ConsistentRead).toBe(true);
    expect(late?.Keys?.length).toBeGreaterThan(0);
    expect(late?.Keys?.length).toBeLessThan(10);
  });

  it('a fault of a queue fails single entries of a batch', async () => {
    const sqs = createSqs({ origin: gateway.url });
    const { url: QueueUrl } = sqs.createQueue({ name: 'queue' });
    gateway.addService(sqs.service);
    const client = new SQSClient(clientOf(gateway));
    const Entries = ['1', '2', '3', '4'].map((Id) => ({ Id, MessageBody: Id }));
    next = 'partial';
    const { Successful = [], Failed = [] } = await client.send(
      new SendMessageBatchCommand({ QueueUrl, Entries }),
    );
    expect(Failed.length).toBeGreaterThan(0);
    expect(Successful.length + Failed.length).toBe(4);
    expect(sqs.queue('queue').counts().visible).toBe(Successful.length);
    sqs.close();
  });

  it('faults never affect a caller that is spared', async () => {
    next = 'error';
    await new DynamoDBClient(clientOf(gateway, 'spared')).send(put('spared'));
    next = undefined;
    expect(await stored('spared')).toBe(true);
  });
});
