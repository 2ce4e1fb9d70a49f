/** The floor of a cold start with the AWS SDK: one client with its defaults, one GetItem. */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({});

/** Reads one item. */
export const handler = async (): Promise<unknown> =>
  (await client.send(new GetItemCommand({ TableName: 'bare', Key: { pk: { S: 'a' }, sk: { S: 'b' } } })))
    .Item;
