import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { createFaults, type Faults } from '../../local/core/faults.ts';
import { errorResponse, failedError, throttledError } from '../../local/core/error-responses.ts';
import { createDynamoDb, type DynamoDb } from '../../local/services/dynamodb/dynamodb.ts';
import type { AwsResponse } from '../../local/core/types.ts';
import { dynamoDb, type DynamoDb as DynamoCalls } from '../../shared/table/dynamo-calls.ts';
import { fromAttributeValues } from '../../shared/table/attribute-values.ts';
import type { StoredItem } from '../../shared/table/table.ts';
import { REGION } from '../../local/core/arn.ts';
import { addCaller, clientOf, startGateway } from '../../local/test/gateway/cloud.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import type { Choose } from './interleave.ts';

export const TABLE = 'tidemark';
const SEED = 7;

/** Share of calls that are throttled, fail, or lose their answer after they were carried out. */
const FAULT_RATE = 0.1;

/**
 * More than in production. At this fault rate, one writer in some thousands gives up there, and its caller tries again.
 */
const MAX_ATTEMPTS = 12;

/** DynamoDB with an empty table, and a client whose calls fail at random. */
export interface CloudTable {
  readonly client: DynamoCalls;
  /** Every item, read without faults. */
  items(): Promise<readonly StoredItem[]>;
  close(): Promise<void>;
}

/** The embedded DynamoDB with an empty table. */
export const openDynamoDb = async (): Promise<DynamoDb> => {
  const db = await createDynamoDb({ kindOf: () => 'item' });
  const key = (name: string) => ({ name, type: 'S' }) as const;
  await db.createTable({ name: TABLE, partitionKey: key('pk'), sortKey: key('sk') });
  return db;
};

/** A table reached over HTTP through the gateway, as functions reach it. */
export const overHttp = async (): Promise<CloudTable> => {
  const db = await openDynamoDb();
  const gateway = await startGateway([db.service], { faults: createFaults(SEED, FAULT_RATE) });
  addCaller(gateway, 'writer', [{ effect: 'Allow', actions: ['*'], resources: ['*'], conditions: {} }]);
  const client = dynamoDb({
    ...clientOf(gateway, 'writer'),
    maxAttempts: MAX_ATTEMPTS,
  });
  return {
    client,
    items: () => itemsOf(db),
    close: async () => {
      client.destroy();
      await gateway.close();
      await db.close();
    },
  };
};

/** Options of a client without a network. */
export const unsigned = {
  region: REGION,
  endpoint: 'http://dynamodb.test',
  credentials: { accessKeyId: 'AKIAwriter', secretAccessKey: 'secret' },
  // The embedded cloud does not check signatures here, and signing would take a quarter of the test's time.
  signer: { sign: <Signed>(request: Signed) => Promise.resolve(request) },
};

/** A table reached without a network: a call takes some virtual time in each direction. */
export const inProcess = async (time: VirtualTime, choose: Choose): Promise<CloudTable> => {
  const db = await openDynamoDb();
  const client = dynamoDb({
    ...unsigned,
    retries: retriesOf(MAX_ATTEMPTS, (retries) => time.sleep(choose(50 * 2 ** retries))),
    handler: {
      handle: disturbedDoor(db, { time, choose, faults: createFaults(SEED, FAULT_RATE) }),
    },
  });
  return { client, items: () => itemsOf(db), close: () => db.close() };
};

/** The error of Node's HTTP client for an answer that never came. */
export class LostAnswer extends Error {
  override readonly name = 'TimeoutError';
}

interface Door {
  readonly time: VirtualTime;
  readonly choose: Choose;
  readonly faults: Faults;
}

/** A request as the client hands it to its HTTP handler. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const caller = { accessKeyId: 'AKIAwriter', name: 'writer', principal: 'writer', policy: [] };

export const bytesOf = ({ body }: WireRequest) => Buffer.from(v.parse(v.instance(Uint8Array), body));

/** Carries a request out. */
export const carriedOut = (db: DynamoDb, request: WireRequest) => {
  const { method, path, headers } = request;
  const query = new URLSearchParams();
  return db.service.handle({ method, path, query, headers, body: bytesOf(request) }, caller);
};

/** An answer as the client takes it. */
export const onTheWire = ({ status, headers, body }: AwsResponse) => {
  const bytes = Buffer.from(v.parse(v.string(), body));
  return { response: { statusCode: status, headers: { ...headers }, body: bytes } };
};

/** The retry strategy of the SDK with so many attempts, and with pauses of its own behind each number of retries. */
export const retriesOf = (maxAttempts: number, pause: (retries: number) => Promise<void>) => {
  const token = (retries: number) => ({ getRetryCount: () => retries, getRetryDelay: () => 0 });
  return {
    acquireInitialRetryToken: () => Promise.resolve(token(0)),
    refreshRetryTokenForRetry: async (
      last: { getRetryCount(): number },
      { errorType }: { readonly errorType: string },
    ) => {
      const retries = last.getRetryCount() + 1;
      if (errorType === 'CLIENT_ERROR' || retries === maxAttempts) throw new Error('not to be retried');
      await pause(retries);
      return token(retries);
    },
    recordSuccess: () => undefined,
  };
};

const disturbedDoor =
  (db: DynamoDb, { time, choose, faults }: Door) =>
  async (request: WireRequest) => {
    const target = request.headers['x-amz-target'] ?? '';
    const { fault: fate, random = 0 } = faults.call(caller.name, target) ?? {};
    await time.sleep(2 + choose(8));
    let answer: AwsResponse;
    if (fate === 'throttle' || fate === 'partial')
      answer = errorResponse('dynamodb', throttledError('dynamodb', random));
    else if (fate === 'error') answer = errorResponse('dynamodb', failedError('dynamodb'));
    else answer = await carriedOut(db, request);
    await time.sleep(1 + choose(4));
    if (fate === 'lost') throw new LostAnswer('socket hang up');
    return onTheWire(answer);
  };

const page = v.looseObject({
  Items: v.array(
    v.record(
      v.string(),
      v.custom<AttributeValue>((value) => typeof value === 'object' && value !== null),
    ),
  ),
  LastEvaluatedKey: v.optional(v.record(v.string(), v.unknown())),
});
const storedItem = v.looseObject({ pk: v.string(), sk: v.string(), w: v.string() });

const itemsOf = async (db: DynamoDb): Promise<readonly StoredItem[]> => {
  const items: StoredItem[] = [];
  let start: object | undefined;
  do {
    const { body } = await db.call('Scan', {
      TableName: TABLE,
      ...(start ? { ExclusiveStartKey: start } : {}),
    });
    // As a function reads it: bytes come as base64.
    const { Items, LastEvaluatedKey } = v.parse(page, JSON.parse(JSON.stringify(body)));
    items.push(...Items.map((item) => v.parse(storedItem, fromAttributeValues(item))));
    start = LastEvaluatedKey;
  } while (start);
  return items;
};
