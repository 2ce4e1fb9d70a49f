/**
 * Every key of the table of the audit log. Functions may add entries; none may change or delete one.
 *
 * | item                  | pk      | sk              |
 * |-----------------------|---------|-----------------|
 * | entry of an audit log | AUDIT#a | time#request id |
 */
import { padded, type Key } from './keys.ts';

export const auditKeys = {
  log: (account: number): string => `AUDIT#${account}`,
  entry: (account: number, time: number, request: string): Key => ({
    pk: auditKeys.log(account),
    sk: `${padded(time, 13)}#${request}`,
  }),
};
