import { randomUUID } from 'node:crypto';
import type { TableDefinition } from '../../local/services/dynamodb/dynamodb.ts';
import { REGION } from '../../local/core/arn.ts';

/** An answer as the engine sent it. */
export interface ExternalAnswer {
  readonly status: number;
  readonly body: string;
}

/** An engine that speaks DynamoDB's JSON protocol over HTTP, with an empty database. */
export interface External {
  send(operation: string, body: string): Promise<ExternalAnswer>;
  createTable(definition: TableDefinition): Promise<void>;
}

/** A new database in the DynamoDB Local at `url`: each access key has its own. */
export const externalAt = (url: string): External => {
  const accessKey = `AKIA${randomUUID().replaceAll('-', '')}`;
  const credential = `${accessKey}/20260101/${REGION}/dynamodb/aws4_request`;
  // DynamoDB Local checks no signature.
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=none`;
  const send = async (operation: string, body: string): Promise<ExternalAnswer> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
      },
      body,
    });
    return { status: answer.status, body: await answer.text() };
  };
  return {
    send,
    createTable: async (definition) => {
      const { status, body } = await send('CreateTable', JSON.stringify(createInput(definition)));
      if (status !== 200) throw new Error(`DynamoDB Local made no table: ${body}`);
    },
  };
};

const createInput = ({ name, partitionKey, sortKey, indexes = [] }: TableDefinition): object => {
  if (indexes.length > 0) throw new Error('the service has no secondary index');
  const attributes = sortKey ? [partitionKey, sortKey] : [partitionKey];
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributes.map((key) => ({ AttributeName: key.name, AttributeType: key.type })),
    KeySchema: [
      { AttributeName: partitionKey.name, KeyType: 'HASH' },
      ...(sortKey ? [{ AttributeName: sortKey.name, KeyType: 'RANGE' }] : []),
    ],
  };
};
