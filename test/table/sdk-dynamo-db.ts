import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  DynamoDBClient,
  ExecuteTransactionCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import { RetriesOfFailures, type DynamoDb, type Operations } from '../../shared/table/dynamo-calls.ts';

type Calls = {
  readonly [Name in keyof Operations]: (input: Operations[Name][0]) => Promise<Operations[Name][1]>;
};

/** An answer of the SDK with the number of attempts, which the SDK leaves open. */
const answered = <Output extends { readonly $metadata: { readonly attempts?: number | undefined } }>(
  output: Output,
) => ({ ...output, $metadata: { attempts: output.$metadata.attempts ?? 1 } });

/**
 * DynamoDB through the client of the SDK: the way back from ADR 17. It shows that the calls of the table mean the same in
 * both, and that the errors of both are told apart in the same way.
 */
export const sdkDynamoDb = ({
  maxAttempts,
  ...config
}: DynamoDBClientConfig & { maxAttempts: number }): DynamoDb => {
  const client = new DynamoDBClient({ ...config, retryStrategy: new RetriesOfFailures(maxAttempts) });
  const calls: Calls = {
    BatchExecuteStatement: async (input) =>
      answered(await client.send(new BatchExecuteStatementCommand(input))),
    BatchGetItem: async (input) => answered(await client.send(new BatchGetItemCommand(input))),
    ExecuteTransaction: async (input) => answered(await client.send(new ExecuteTransactionCommand(input))),
    PutItem: async (input) => answered(await client.send(new PutItemCommand(input))),
    Query: async (input) => answered(await client.send(new QueryCommand(input))),
    Scan: async (input) => answered(await client.send(new ScanCommand(input))),
    UpdateItem: async (input) => answered(await client.send(new UpdateItemCommand(input))),
  };
  return {
    call: (operation, input) => calls[operation](input),
    destroy: () => client.destroy(),
  };
};
