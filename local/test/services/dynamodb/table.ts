import {
  BatchExecuteStatementCommand,
  DynamoDBClient,
  GetItemCommand,
  type AttributeValue,
} from '@aws-sdk/client-dynamodb';
import { createDynamoDb, type DynamoDb, type DynamoDbOptions } from '../../../services/dynamodb/dynamodb.ts';
import type { ThroughputOptions } from '../../../services/dynamodb/throughput.ts';
import { clientOf, startGateway } from '../../gateway/cloud.ts';

/** A table with a secondary index on `w`. */
export const TABLE = 'things';
export const definition = {
  name: TABLE,
  partitionKey: { name: 'pk', type: 'S' },
  sortKey: { name: 'sk', type: 'S' },
  indexes: [{ name: 'by-w', partitionKey: { name: 'w', type: 'S' } }],
} as const;

/** The three shapes. */
export const INSERT = `INSERT INTO "${TABLE}" VALUE {'pk':?, 'sk':?, 'a':?, 'w':?}`;
const UPDATE = `UPDATE "${TABLE}" SET "a"=? SET "w"=? WHERE pk=? AND sk=? AND "w"=?`;
const DELETE = `DELETE FROM "${TABLE}" WHERE pk=? AND sk=? AND "w"=?`;

/** A statement as the SDK takes it. */
export interface Statement {
  readonly Statement: string;
  readonly Parameters: AttributeValue[];
}

/** Statements and keys of one partition. */
export const partition = (name: string) => {
  const pk: AttributeValue = { S: name };
  return {
    pk,
    key: (sk: string) => ({ pk, sk: { S: sk } }),
    insert: (sk: string, a: string, w: string): Statement => ({
      Statement: INSERT,
      Parameters: [pk, { S: sk }, { S: a }, { S: w }],
    }),
    update: (sk: string, a: string, w: string, expected: string): Statement => ({
      Statement: UPDATE,
      Parameters: [{ S: a }, { S: w }, pk, { S: sk }, { S: expected }],
    }),
    remove: (sk: string, expected: string): Statement => ({
      Statement: DELETE,
      Parameters: [pk, { S: sk }, { S: expected }],
    }),
  };
};

/** The input of an `UpdateItem` that sets `a`. */
export const settingA = (Key: Record<string, AttributeValue>, a: string) => ({
  ...{ TableName: TABLE, Key, UpdateExpression: 'SET a = :a' },
  ExpressionAttributeValues: { ':a': { S: a } },
});

/** What a `Query` or a `BatchGetItem` asks for: all items of a partition, or those of some keys. */
export const wholePartition = (pk: AttributeValue) => ({
  ...{ TableName: TABLE, KeyConditionExpression: 'pk = :pk', ConsistentRead: true },
  ExpressionAttributeValues: { ':pk': pk },
});
export const itemsOfKeys = (Keys: Record<string, AttributeValue>[]) => ({
  RequestItems: { [TABLE]: { Keys, ConsistentRead: true } },
});

/** Opens the table alone, in memory or in the files of a folder. */
export const openDb = async (
  dataDir?: string,
  options: Partial<DynamoDbOptions> = {},
  more: Partial<Parameters<DynamoDb['createTable']>[0]> = {},
): Promise<DynamoDb> => {
  const db = await createDynamoDb({ ...options, ...(dataDir === undefined ? {} : { dataDir }) });
  await db.createTable({ ...definition, ...more });
  return db;
};

/** Starts a table; kinds are the partition's name without its number. */
export const startTable = async (throughput?: ThroughputOptions) => {
  const kindOf = (pk: string): string => pk.replace(/(?<!\d)\d+$/, '');
  const db = await createDynamoDb({ kindOf, ...(throughput ? { throughput } : {}) });
  await db.createTable(definition);
  const gateway = await startGateway([db.service]);
  const client = new DynamoDBClient(clientOf(gateway));
  return {
    db,
    gateway,
    client,
    /** Runs statements and returns their error codes. */
    batch: async (...statements: readonly Statement[]) => {
      const answer = await client.send(new BatchExecuteStatementCommand({ Statements: [...statements] }));
      return answer.Responses?.map(({ Error: error }) => error?.Code);
    },
    get: async (key: Record<string, AttributeValue>) =>
      (await client.send(new GetItemCommand({ TableName: TABLE, Key: key, ConsistentRead: true }))).Item,
    stop: async () => {
      client.destroy();
      await gateway.close();
      await db.close();
    },
  };
};

/** The running table behind a gateway, and a client. */
export type RunningTable = Awaited<ReturnType<typeof startTable>>;
