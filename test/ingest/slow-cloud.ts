import * as v from 'valibot';
import { createDynamoDb } from '../../local/services/dynamodb/dynamodb.ts';
import { ATTEMPT_MS, MAX_ATTEMPTS } from '../../shared/runtime/aws-client.ts';
import { callInTime } from '../../shared/runtime/deadline.ts';
import { dynamoDb } from '../../shared/table/dynamo-calls.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { dynamoTable } from '../../shared/table/dynamo-table.ts';
import type { Table } from '../../shared/table/table.ts';
import { scope as cloud } from '../../local/test/gateway/cloud.ts';
import type { SideTime } from '../support/side-time.ts';

const TABLE = 'tidemark';
const caller = { accessKeyId: 'AKIAwriter', name: 'writer', principal: 'writer', policy: [] };

class TimedOut extends Error {
  override readonly name = 'TimeoutError';
}

interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The embedded DynamoDB, used through the real client and table module in virtual time. */
export const openCloud = async (time: SideTime) => {
  const db = await createDynamoDb({ scope: cloud, kindOf: () => 'item' });
  const key = (name: string) => ({ name, type: 'S' }) as const;
  await db.createTable({ name: TABLE, partitionKey: key('pk'), sortKey: key('sk') });
  const token = (retries: number) => ({ getRetryCount: () => retries, getRetryDelay: () => 0 });
  /** `hangs` decides for an attempt (from 1) at a call whether the attempt is neither carried out nor answered. */
  const tableOf = (hangs: (text: string, attempt: number) => boolean = () => false): Table => {
    const attempts = new Map<string, number>();
    const send = async ({ method, path, headers, body }: WireRequest) => {
      const target = headers['x-amz-target'] ?? '';
      const bytes = Buffer.from(v.parse(v.instance(Uint8Array), body));
      const text = `${target} ${bytes.toString()}`;
      const attempt = (attempts.get(text) ?? 0) + 1;
      attempts.set(text, attempt);
      if (hangs(text, attempt)) {
        await time.sleep(ATTEMPT_MS);
        throw new TimedOut('no answer');
      }
      await time.sleep(5);
      const request = { method, path, query: new URLSearchParams(), body: bytes };
      const answer = await time.busy(() =>
        Promise.resolve(db.service.handle({ ...request, headers }, caller)),
      );
      const sent = Buffer.from(v.parse(v.string(), answer.body));
      return { response: { statusCode: answer.status, headers: { ...answer.headers }, body: sent } };
    };
    const client = dynamoDb({
      region: cloud.region,
      endpoint: 'http://dynamodb.test',
      credentials: { accessKeyId: 'AKIAwriter', secretAccessKey: 'secret' },
      signer: { sign: (request) => Promise.resolve(request) },
      // The SDK's own strategy, without its pauses of about 100 ms.
      retries: {
        acquireInitialRetryToken: () => Promise.resolve(token(0)),
        refreshRetryTokenForRetry: (last, { errorType }) => {
          const retries = last.getRetryCount() + 1;
          const isLast = errorType === 'CLIENT_ERROR' || retries === MAX_ATTEMPTS;
          return isLast ? Promise.reject(new Error('not to be retried')) : Promise.resolve(token(retries));
        },
        recordSuccess: () => undefined,
      },
      handler: {
        handle: (request: WireRequest) => callInTime(() => send(request)),
      },
    });
    return dynamoTable({ client, tableName: TABLE, ids: systemIds, pause: () => time.sleep(100) });
  };
  // The first call of the SDK loads modules and reads files. Virtual time does not see this work: it would wake the next
  // sleeper meanwhile.
  await time.run([
    () =>
      tableOf()
        .get({ pk: 'nothing', sk: 'nothing' })
        .then(() => undefined),
  ]);
  return { tableOf, close: () => db.close() };
};
