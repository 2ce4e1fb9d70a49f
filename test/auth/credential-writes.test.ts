import {
  BatchExecuteStatementCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callersOf } from '../../local/assembly/callers.ts';
import { createGateway, type Gateway } from '../../local/gateway/gateway.ts';
import { createDynamoDb, type DynamoDb } from '../../local/services/dynamodb/dynamodb.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { functions, synthesized } from '../infra/stacks.ts';
import { isFull } from '../support/scale.ts';

const { deployment } = synthesized('prod');
const callers = callersOf(deployment);
const TableName = 'tidemark-prod-credentials';
const hash = '0'.repeat(64);

/** For each item that could grant its writer access: the ways to write it, each under the name of its IAM action. */
const forgeries = [
  credentialKeys.token(hash),
  credentialKeys.user(hash),
  credentialKeys.client(hash),
  credentialKeys.account(1),
  credentialKeys.property(1_001),
].map(({ pk, sk }) => {
  const Key = { pk: { S: pk }, sk: { S: sk } };
  const statement = (Statement: string, ...values: { S: string }[]) =>
    new BatchExecuteStatementCommand({
      Statements: [{ Statement, Parameters: [...values, Key.pk, Key.sk] }],
    });
  const where = 'WHERE "pk"=? AND "sk"=?';
  return [
    [
      'dynamodb:PartiQLInsert',
      (by: DynamoDBClient) => by.send(statement(`INSERT INTO "${TableName}" VALUE {'pk':?, 'sk':?}`)),
    ],
    [
      'dynamodb:PartiQLUpdate',
      (by: DynamoDBClient) => by.send(statement(`UPDATE "${TableName}" SET "w"=? ${where}`, { S: 'forged' })),
    ],
    [
      'dynamodb:PartiQLDelete',
      (by: DynamoDBClient) => by.send(statement(`DELETE FROM "${TableName}" ${where}`)),
    ],
    ['dynamodb:PutItem', (by: DynamoDBClient) => by.send(new PutItemCommand({ TableName, Item: Key }))],
    ['dynamodb:UpdateItem', (by: DynamoDBClient) => by.send(new UpdateItemCommand({ TableName, Key }))],
    ['dynamodb:DeleteItem', (by: DynamoDBClient) => by.send(new DeleteItemCommand({ TableName, Key }))],
  ] as const;
});

/** The few functions that may write credentials, with their writes. Login failures are counted by an increment. */
const writers: Readonly<Record<string, readonly string[]>> = {
  issueToken: ['dynamodb:PartiQLInsert', 'dynamodb:PartiQLDelete', 'dynamodb:UpdateItem'],
  authorizeSftp: ['dynamodb:UpdateItem'],
  deleteToken: ['dynamodb:PartiQLDelete'],
  revokeToken: ['dynamodb:PartiQLDelete'],
  deleteProperty: ['dynamodb:PartiQLUpdate', 'dynamodb:PartiQLDelete'],
  operator: [
    'dynamodb:PartiQLInsert',
    'dynamodb:PartiQLUpdate',
    'dynamodb:PartiQLDelete',
    'dynamodb:UpdateItem',
  ],
};

describe('credentials', () => {
  let gateway: Gateway;
  let db: DynamoDb;

  beforeAll(async () => {
    db = await createDynamoDb();
    await db.createTable({
      name: TableName,
      partitionKey: { name: 'pk', type: 'S' },
      sortKey: { name: 'sk', type: 'S' },
    });
    gateway = await createGateway();
    gateway.addService(db.service);
    for (const caller of callers) gateway.registerCaller(caller);
  });
  afterAll(async () => {
    await gateway.close();
    await db.close();
  });

  it('every function tries to write credentials', () => {
    const names = callers.map(({ name }) => name);
    expect(functions.map(([name]) => name).filter((name) => !names.includes(name))).toEqual([]);
  });

  // In the sample, each function tries to forge one item in every way, and the next function another item.
  it.each(
    callers.map((caller, at) => {
      const one = forgeries.slice(at % forgeries.length, (at % forgeries.length) + 1);
      return [caller.name, caller, (isFull ? forgeries : one).flat()] as const;
    }),
  )('%s cannot forge one', async (name, { accessKeyId, secretAccessKey }, tried) => {
    const client = new DynamoDBClient({
      region: 'us-east-1',
      endpoint: gateway.url,
      credentials: { accessKeyId, secretAccessKey },
      maxAttempts: 1,
    });
    const refused: string[] = [];
    for (const [action, forge] of tried) {
      const refusal = await forge(client).then(
        () => 'allowed',
        (error: unknown) => (error instanceof Error ? error.name : String(error)),
      );
      if (refusal === 'AccessDeniedException') refused.push(action);
    }
    client.destroy();
    const may = writers[name] ?? [];
    expect(refused).toEqual(tried.map(([action]) => action).filter((action) => !may.includes(action)));
  });
});
