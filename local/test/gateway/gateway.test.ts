import {
  BatchExecuteStatementCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { KMSClient, GenerateDataKeyCommand } from '@aws-sdk/client-kms';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, expect, it } from 'vitest';
import { createDynamoDb } from '../../services/dynamodb/dynamodb.ts';
import { createKms } from '../../services/kms/kms.ts';
import { bucketClient, openS3 } from './bucket.ts';
import { createSqs } from '../../services/sqs/sqs.ts';
import { addCaller, allow, clientOf, startGateway } from './cloud.ts';
import { getAs } from '../support/get-as.ts';
import { signedFetch } from '../support/signed-fetch.ts';

const TableName = 'things';
const tableArn = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`;
const item = { pk: { S: 'p' } };
const db = await createDynamoDb();
await db.createTable({ name: TableName, partitionKey: { name: 'pk', type: 'S' } });
const s3 = openS3();
const kms = createKms();
kms.createKey('main');
const gateway = await startGateway([db.service, s3.service, kms.service]);
addCaller(gateway, 'reader', [allow(['dynamodb:GetItem', 'dynamodb:PartiQLInsert'], [tableArn])]);

afterEach(() => gateway.denials.clear());

afterAll(async () => {
  await gateway.close();
  await db.close();
  s3.close();
});

it('a call that no policy allows is refused in the words of its protocol, and recorded', async () => {
  const table = new DynamoDBClient(clientOf(gateway, 'reader'));
  const bucket = bucketClient(gateway, 'reader');
  const keys = new KMSClient(clientOf(gateway, 'reader'));
  const who = 'User: arn:aws:sts::000000000000:assumed-role/reader/reader is not authorized to perform:';
  const why = (action: string) => `because no identity-based policy allows the ${action} action`;
  await expect(table.send(new PutItemCommand({ TableName, Item: item }))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: `${who} dynamodb:PutItem on resource: ${tableArn} ${why('dynamodb:PutItem')}`,
  });
  const body = Buffer.alloc(8 * 1024 * 1024);
  await expect(
    bucket.send(new PutObjectCommand({ Bucket: 'files', Key: 'a', Body: body })),
  ).rejects.toMatchObject({
    name: 'AccessDenied',
    message: `${who} s3:PutObject on resource: arn:aws:s3:::files/a ${why('s3:PutObject')}`,
    $metadata: { httpStatusCode: 403 },
  });
  await expect(
    keys.send(new GenerateDataKeyCommand({ KeyId: 'main', KeySpec: 'AES_256' })),
  ).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: `${who} kms:GenerateDataKey on resource: arn:aws:kms:us-east-1:000000000000:key/main ${why('kms:GenerateDataKey')}`,
  });
  expect(gateway.denials.list()).toMatchObject([
    { caller: 'reader', action: 'dynamodb:PutItem', resource: tableArn },
    { caller: 'reader', action: 's3:PutObject', resource: 'arn:aws:s3:::files/a' },
    {
      caller: 'reader',
      action: 'kms:GenerateDataKey',
      resource: 'arn:aws:kms:us-east-1:000000000000:key/main',
    },
  ]);
});

it('a refused use of a key is answered in the words of the service, and recorded', async () => {
  const sqs = createSqs({ origin: 'http://127.0.0.1' });
  sqs.createQueue({ name: 'work', fifo: false });
  const guarded = await startGateway([db.service, s3.service, sqs.service]);
  const key = 'arn:aws:kms:us-east-1:000000000000:key/k';
  const use = { action: 'kms:Decrypt', resource: key };
  guarded.guardKeys({
    usesOf: () => [use],
    refusedTo: () => use,
    refusedToService: () => use,
  });
  try {
    const message = `User: arn:aws:sts::000000000000:assumed-role/tester/tester is not authorized to perform: kms:Decrypt on resource: ${key} because no resource-based policy allows the kms:Decrypt action`;
    const table = new DynamoDBClient(clientOf(guarded));
    const bucket = bucketClient(guarded);
    const queue = new SQSClient(clientOf(guarded));
    const QueueUrl = `${guarded.url}/000000000000/work`;
    await expect(table.send(new GetItemCommand({ TableName, Key: item }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message,
    });
    await expect(bucket.send(new GetObjectCommand({ Bucket: 'files', Key: 'a' }))).rejects.toMatchObject({
      name: 'AccessDenied',
      message,
    });
    await expect(queue.send(new ReceiveMessageCommand({ QueueUrl }))).rejects.toMatchObject({
      name: 'KmsAccessDenied',
      message,
    });
    const denial = { caller: 'tester', ...use, message };
    expect(guarded.denials.list()).toEqual([denial, denial, denial]);
  } finally {
    await guarded.close();
    sqs.close();
  }
});

it('PartiQL is checked statement by statement', async () => {
  const client = new DynamoDBClient(clientOf(gateway, 'reader'));
  const insert = { Statement: `INSERT INTO "${TableName}" VALUE {'pk':?}`, Parameters: [{ S: 'partiql' }] };
  const remove = { Statement: `DELETE FROM "${TableName}" WHERE pk=?`, Parameters: [{ S: 'other' }] };
  await client.send(new BatchExecuteStatementCommand({ Statements: [insert] }));
  await expect(
    client.send(new BatchExecuteStatementCommand({ Statements: [insert, remove] })),
  ).rejects.toThrow('perform: dynamodb:PartiQLDelete on resource');
});

it('an action can be taken away and given back, and the gateway tells of refusals and of uses', async () => {
  const client = new DynamoDBClient(clientOf(gateway, 'reader'));
  const get = () => client.send(new GetItemCommand({ TableName, Key: item }));
  const seen: string[] = [];
  const stop = gateway.denials.observe(({ action }) => seen.push(action));
  const used: string[] = [];
  const stopUses = gateway.observeUses(({ caller, action, resource }) =>
    used.push(`${caller} ${action} ${resource}`),
  );
  const giveBack = gateway.withoutAction('reader', 'dynamodb:GetItem');
  await expect(get()).rejects.toThrow('perform: dynamodb:GetItem on resource');
  giveBack();
  stop();
  await get();
  stopUses();
  await get();
  expect(seen).toEqual(['dynamodb:GetItem']);
  expect(used).toEqual([expect.stringMatching(/^reader dynamodb:GetItem arn:aws:dynamodb:.*:table\//)]);
});

it('an unknown caller is refused', async () => {
  const stranger = { ...clientOf(gateway), credentials: { accessKeyId: 'AKIANOBODY', secretAccessKey: 'x' } };
  const table = new DynamoDBClient(stranger);
  const bucket = new S3Client({ ...stranger, forcePathStyle: true });
  await expect(table.send(new GetItemCommand({ TableName, Key: item }))).rejects.toMatchObject({
    name: 'UnrecognizedClientException',
  });
  await expect(bucket.send(new GetObjectCommand({ Bucket: 'files', Key: 'a' }))).rejects.toMatchObject({
    name: 'InvalidAccessKeyId',
  });
  for (const init of [
    {},
    { method: 'POST', headers: { 'x-amz-target': 'DynamoDB_20120810.GetItem' }, body: '{}' },
  ])
    expect((await fetch(`${gateway.url}/files/a`, init)).status).toBe(403);
});

/** A signed call that lists the tables, with something about it changed. */
const listTables = ({ headers = {}, secret = 'secret-of-tester', after = {} }) =>
  signedFetch(
    gateway.url,
    {
      service: 'dynamodb',
      credentials: { accessKeyId: 'AKIAtester', secretAccessKey: secret },
      method: 'POST',
      headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables', ...headers },
      body: '{}',
    },
    after,
  );

it('a made-up signature is refused: the key id of a role is no secret', async () => {
  expect((await listTables({})).status).toBe(200);
  const madeUp =
    'AWS4-HMAC-SHA256 Credential=AKIAtester/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=00';
  const others = [
    await listTables({ secret: 'another' }),
    await listTables({ after: { 'x-amz-target': 'DynamoDB_20120810.DescribeTable' } }),
    await fetch(`${gateway.url}/files/a`, { headers: { authorization: madeUp } }),
    await fetch(`${gateway.url}/files?list-type=2`, { headers: { authorization: madeUp } }),
    await fetch(`${gateway.url}/files/a`, { headers: { authorization: madeUp.replace('=00', '=') } }),
  ];
  for (const answer of others) {
    expect(answer.status).toBe(403);
    expect(await answer.text()).toMatch(/SignatureDoesNotMatch/);
  }
});

it('a call that names another machine is refused', async () => {
  const { status } = await getAs(gateway.url, `rebound.example:${new URL(gateway.url).port}`);
  expect(status).toBe(421);
});

it('a web page may call no service, even with a valid signature', async () => {
  const call = (headers: Readonly<Record<string, string>>) => listTables({ headers });
  expect((await call({})).status).toBe(200);
  for (const origin of ['https://evil.example', 'null', gateway.url]) {
    const answer = await call({ origin });
    expect(await answer.json()).toMatchObject({ __type: 'AccessDeniedException' });
  }
});

it('a request without JSON or for an unknown service is refused', async () => {
  const { credentials } = clientOf(gateway);
  const headers = { 'x-amz-target': 'DynamoDB_20120810.GetItem' };
  const post = (service: string) =>
    signedFetch(gateway.url, { service, credentials, method: 'POST', headers, body: '{"TableName":' });
  const broken = await post('dynamodb');
  expect(broken.status).toBe(400);
  expect(await broken.json()).toMatchObject({ __type: 'SerializationException' });
  expect(await (await post('sns')).json()).toMatchObject({ __type: 'UnknownService' });
});

it('calls of services that don’t meter themselves are counted by action and resource', async () => {
  gateway.meter.reset();
  const keys = new KMSClient(clientOf(gateway));
  const bucket = bucketClient(gateway);
  await keys.send(new GenerateDataKeyCommand({ KeyId: 'main', KeySpec: 'AES_256' }));
  await bucket.send(new PutObjectCommand({ Bucket: 'files', Key: 'metered', Body: Buffer.alloc(1000) }));
  const lines = gateway.meter.snapshot();
  expect(lines).toMatchObject([
    { caller: 'tester', action: 'kms:GenerateDataKey', kind: 'key/main', calls: 1 },
    { caller: 'tester', action: 's3:PutObject', kind: 'files', calls: 1 },
  ]);
  expect(lines[1]?.bytes).toBeGreaterThanOrEqual(1000);
});
