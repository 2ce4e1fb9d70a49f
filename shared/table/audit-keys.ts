/**
 * Every key of the table of the audit log. Functions may insert items; none may replace, change or delete an item.
 *
 * | item                  | pk           | sk              |
 * |-----------------------|--------------|-----------------|
 * | entry of an audit log | AUDIT#a#0..3 | time#request id |
 * | forgetting            | FORGOTTEN    | time#attempt    |
 * | change of an objection | OBJECTED    | time#attempt    |
 */
import { hash } from 'node:crypto';
import { padded, type Key } from './keys.ts';

/**
 * Partitions of the log of an account. Each serves 1,000 entries a second; DynamoDB cannot split one, because all new
 * entries go to its end.
 */
const SHARDS = 4;

export const auditKeys = {
  /** The partitions of the log of an account. */
  logs: (account: number): readonly string[] =>
    Array.from({ length: SHARDS }, (_, shard) => `AUDIT#${account}#${shard}`),
  entry: (account: number, time: number, request: string): Key => ({
    pk: `AUDIT#${account}#${Number.parseInt(hash('sha256', request).slice(0, 8), 16) % SHARDS}`,
    sk: `${padded(time, 13)}#${request}`,
  }),
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
