import { ATTEMPT_MS, MAX_ATTEMPTS } from '../../shared/runtime/aws-client.ts';
import { callInTime } from '../../shared/runtime/deadline.ts';
import { dynamoDb } from '../../shared/table/dynamo-calls.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { dynamoTable } from '../../shared/table/dynamo-table.ts';
import type { Table } from '../../shared/table/table.ts';
import type { SideTime } from '../support/side-time.ts';
import {
  bytesOf,
  carriedOut,
  LostAnswer,
  onTheWire,
  openDynamoDb,
  retriesOf,
  TABLE,
  unsigned,
  type WireRequest,
} from './cloud-table.ts';

/** The embedded DynamoDB, used through the real client and table module in virtual time. */
export const openCloud = async (time: SideTime) => {
  const db = await openDynamoDb();
  /** `hangs` decides for an attempt (from 1) at a call whether the attempt is neither carried out nor answered. */
  const tableOf = (hangs: (text: string, attempt: number) => boolean = () => false): Table => {
    const attempts = new Map<string, number>();
    const send = async (request: WireRequest) => {
      const text = `${request.headers['x-amz-target'] ?? ''} ${bytesOf(request).toString()}`;
      const attempt = (attempts.get(text) ?? 0) + 1;
      attempts.set(text, attempt);
      if (hangs(text, attempt)) {
        await time.sleep(ATTEMPT_MS);
        throw new LostAnswer('no answer');
      }
      await time.sleep(5);
      return onTheWire(await time.busy(() => Promise.resolve(carriedOut(db, request))));
    };
    const client = dynamoDb({
      ...unsigned,
      // Without the pauses of about 100 ms.
      retries: retriesOf(MAX_ATTEMPTS, () => Promise.resolve()),
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
