/** DynamoDB calls: the operations on items that tables use, typed as the AWS SDK types them. */
import type {
  BatchExecuteStatementCommandInput,
  BatchExecuteStatementCommandOutput,
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  ExecuteTransactionCommandInput,
  ExecuteTransactionCommandOutput,
  PutItemCommandInput,
  PutItemCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { jsonService } from '../runtime/json-service.ts';
import type { ServiceOptions } from '../runtime/signed-service.ts';

/** An answer, with the number of attempts that the call took: an earlier attempt may have been carried out. */
type Answer<Output> = Omit<Output, '$metadata'> & { readonly $metadata: { readonly attempts: number } };

/** Input and answer of each operation. */
export interface Operations {
  readonly BatchExecuteStatement: [
    BatchExecuteStatementCommandInput,
    Answer<BatchExecuteStatementCommandOutput>,
  ];
  readonly BatchGetItem: [BatchGetItemCommandInput, Answer<BatchGetItemCommandOutput>];
  readonly ExecuteTransaction: [ExecuteTransactionCommandInput, Answer<ExecuteTransactionCommandOutput>];
  readonly PutItem: [PutItemCommandInput, Answer<PutItemCommandOutput>];
  readonly Query: [QueryCommandInput, Answer<QueryCommandOutput>];
  readonly Scan: [ScanCommandInput, Answer<ScanCommandOutput>];
  readonly UpdateItem: [UpdateItemCommandInput, Answer<UpdateItemCommandOutput>];
}

/**
 * DynamoDB. Pass bytes as `Base64Bytes`; they come back as base64, which `fromAttributeValues` decodes. Calls throw
 * `AwsServiceError` when DynamoDB refuses them, and the errors of the HTTP handler.
 */
export interface DynamoDb {
  call<Name extends keyof Operations>(
    operation: Name,
    input: Operations[Name][0],
  ): Promise<Operations[Name][1]>;
  /** Closes kept connections. */
  destroy(): void;
}

/**
 * The SDK's retries without those after a throttle: the table sends throttled calls again itself, at its rate. Otherwise
 * the attempts of both would multiply, and throttles would use up the token budget for real failures.
 */
export class RetriesOfFailures extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(
    ...[token, failure]: Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>
  ): ReturnType<StandardRetryStrategy['refreshRetryTokenForRetry']> {
    // The service then throws the failure itself.
    if (failure.errorType === 'THROTTLING') return Promise.reject(new Error('the table handles throttles'));
    return super.refreshRetryTokenForRetry(token, failure);
  }
}

const protocol = {
  variable: 'DYNAMODB',
  name: 'dynamodb',
  target: 'DynamoDB_20120810',
  version: '1.0',
} as const;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Takes an answer as DynamoDB documents it. A check of each value would cost as much as reading it. */
const documented =
  <Output>(schema: v.GenericSchema<unknown, Output>) =>
  (value: unknown): Output =>
    v.parse(schema, value);

type Readers = { readonly [Name in keyof Operations]: (value: unknown) => Operations[Name][1] };

const readers: Readers = {
  BatchExecuteStatement: documented(v.custom<Operations['BatchExecuteStatement'][1]>(isObject)),
  BatchGetItem: documented(v.custom<Operations['BatchGetItem'][1]>(isObject)),
  ExecuteTransaction: documented(v.custom<Operations['ExecuteTransaction'][1]>(isObject)),
  PutItem: documented(v.custom<Operations['PutItem'][1]>(isObject)),
  Query: documented(v.custom<Operations['Query'][1]>(isObject)),
  Scan: documented(v.custom<Operations['Scan'][1]>(isObject)),
  UpdateItem: documented(v.custom<Operations['UpdateItem'][1]>(isObject)),
};

/** DynamoDB as the environment names it, or as the options do. */
export const dynamoDb = (options: ServiceOptions = {}): DynamoDb => {
  const service = jsonService(protocol, options);
  return {
    call: async (operation, input) => {
      const { output, attempts } = await service.call(operation, input);
      return readers[operation]({ ...(isObject(output) ? output : {}), $metadata: { attempts } });
    },
    destroy: () => service.destroy(),
  };
};
