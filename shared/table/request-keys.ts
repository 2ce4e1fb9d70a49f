/**
 * Every key of the table of the audit log. Functions may insert items; none may replace, change or delete an item.
 *
 * | item                  | pk           | sk              |
 * |-----------------------|--------------|-----------------|
 * | entry of an audit log | AUDIT#a#0..15 | time#request id |
 * | later entry of the same request | likewise | time#request id#2 |
 * | forgetting            | FORGOTTEN    | time#attempt    |
 * | change of an objection | OBJECTED    | time#attempt    |
 */
import { hash } from 'node:crypto';
import { limits } from '../config/limits.ts';
import { padded, type Key } from './keys.ts';

/**
 * Partitions of the log of an account: four, as in release 0.2.0, or more if its rate is higher. Each serves 1,000 entries a
 * second; DynamoDB cannot split one, because all new entries go to its end.
 */
const shards = { least: 4, most: limits.rates.mostRequestsPerSecond / limits.rates.entriesPerPartition };

/** The partitions that the entries of an account with this rate go to. */
const shardsAt = (requestsPerSecond = 0): number => {
  let count = shards.least;
  while (count * limits.rates.entriesPerPartition < requestsPerSecond && count < shards.most) count *= 2;
  return count;
};

/** An entry of the log of an account. */
interface LoggedRequest {
  readonly account: number;
  readonly time: number;
  readonly request: string;
  /** The rate that an operator has set for the account. */
  readonly requestsPerSecond?: number | undefined;
}

export const auditKeys = {
  /** All partitions that the log of an account may have: its rate may have been higher at the time of an entry. */
  logs: (account: number): readonly string[] =>
    Array.from({ length: shards.most }, (_, shard) => `AUDIT#${account}#${shard}`),
  entry: ({ account, time, request, requestsPerSecond }: LoggedRequest): Key => ({
    pk: `AUDIT#${account}#${Number.parseInt(hash('sha256', request).slice(0, 8), 16) % shardsAt(requestsPerSecond)}`,
    sk: `${padded(time, 13)}#${request}`,
  }),
  /** The key of a later entry of the same request. It is the next one of its partition, and of all together. */
  later: ({ pk, sk }: Key): Key => ({ pk, sk: `${sk}#2` }),
  objections: 'OBJECTED',
  objection: (time: number, attemptId: string): Key => ({
    pk: auditKeys.objections,
    sk: `${padded(time, 13)}#${attemptId}`,
  }),
  forgettings: 'FORGOTTEN',
  forgetting: (time: number, attemptId: string): Key => ({
    pk: auditKeys.forgettings,
    sk: `${padded(time, 13)}#${attemptId}`,
  }),
};

/**
 * Every key of the table of rates. Its items count requests, and expire.
 *
 * | item                               | pk           | sk     |
 * |------------------------------------|--------------|--------|
 * | requests of an account in a window | RATE#a       | window |
 * | views of a chart in a minute       | RATE#CHART#t | minute |
 * | opens of an export file in a day   | RATE#FILE#j  | day    |
 * | bytes of a property's files, a day | RATE#BYTES#p | day    |
 */
export const rateKeys = {
  window: (account: number, window: number): Key => ({ pk: `RATE#${account}`, sk: padded(window, 12) }),
  chartViews: (timeline: number, minute: number): Key => ({
    pk: `RATE#CHART#${timeline}`,
    sk: padded(minute, 12),
  }),
  opens: (job: number, day: number): Key => ({ pk: `RATE#FILE#${job}`, sk: padded(day, 12) }),
  downloadedBytes: (property: number, day: number): Key => ({
    pk: `RATE#BYTES#${property}`,
    sk: padded(day, 12),
  }),
};
