/**
 * Every key of the table of rates. Its items count the requests of accounts, and expire.
 *
 * | item                              | pk     | sk     |
 * |-----------------------------------|--------|--------|
 * | requests of an account in a window | RATE#a | window |
 */
import { padded, type Key } from './keys.ts';

export const rateKeys = {
  window: (account: number, window: number): Key => ({ pk: `RATE#${account}`, sk: padded(window, 12) }),
};
