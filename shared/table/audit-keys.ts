/**
 * Every key of the table of the audit log. Functions may insert items; none may replace, change or delete an item.
 *
 * | item                  | pk      | sk              |
 * |-----------------------|---------|-----------------|
 * | entry of an audit log | AUDIT#a | time#request id |
 * | forgetting            | FORGOTTEN | time#attempt  |
 */
import { padded, type Key } from './keys.ts';

export const auditKeys = {
  log: (account: number): string => `AUDIT#${account}`,
  entry: (account: number, time: number, request: string): Key => ({
    pk: auditKeys.log(account),
    sk: `${padded(time, 13)}#${request}`,
  }),
  forgettings: 'FORGOTTEN',
  forgetting: (time: number, attemptId: string): Key => ({
    pk: auditKeys.forgettings,
    sk: `${padded(time, 13)}#${attemptId}`,
  }),
};
