/**
 * Every key of the table of rates. Its items count requests, and expire.
 *
 * | item                               | pk           | sk     |
 * |------------------------------------|--------------|--------|
 * | requests of an account in a window | RATE#a       | window |
 * | views of a chart in a minute       | RATE#CHART#t | minute |
 */
import { padded, type Key } from './keys.ts';

export const rateKeys = {
  window: (account: number, window: number): Key => ({ pk: `RATE#${account}`, sk: padded(window, 12) }),
  chartViews: (timeline: number, minute: number): Key => ({
    pk: `RATE#CHART#${timeline}`,
    sk: padded(minute, 12),
  }),
};
