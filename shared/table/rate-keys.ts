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
import { padded, type Key } from './keys.ts';

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
