/**
 * Logs that services write (vended logs). As CloudWatch Logs does, it keeps the lines, and sends each line that passes a
 * subscription filter to the function of the filter.
 */
import { gzipSync } from 'node:zlib';
import { ACCOUNT } from '../../core/arn.ts';
import type { Faults } from '../../core/faults.ts';
import type { Deliver } from '../events/targets.ts';
import { compileLinePattern } from './line-pattern.ts';

/** A subscription filter of a log group. */
export interface LineSubscription {
  readonly name: string;
  readonly pattern: string;
  /** ARN of the function. */
  readonly target: string;
}

/** A log group with its subscription filters. */
interface VendedLogOptions {
  readonly name: string;
  readonly arn: string;
  readonly subscriptions: readonly LineSubscription[];
  /** Keeps the text of a line. */
  readonly keep: (text: string) => void;
  readonly deliver: Deliver;
  readonly now: () => number;
  /** Delivers some lines twice, because CloudWatch Logs delivers at least once. */
  readonly faults?: Faults | undefined;
}

/** Digits of the id of an event in CloudWatch Logs. */
const ID_DIGITS = 56;

/** Opens a log. Throws for a filter pattern of another form than `{ $.field = "value" }`. */
export const openVendedLog = (options: VendedLogOptions) => {
  const { name, arn: sourceArn, keep, deliver, now, faults } = options;
  const subscriptions = options.subscriptions.map(({ pattern, ...one }) => {
    const matches = compileLinePattern(pattern);
    if (!matches) throw new Error(`the filter pattern ${pattern} is not known`);
    return { ...one, matches };
  });
  let busy = 0;
  let last = 0;
  const tell = async (target: string, payload: string): Promise<void> => {
    busy += 1;
    try {
      await deliver({ arn: target }, { principal: 'logs.amazonaws.com', sourceArn }, payload);
    } finally {
      busy -= 1;
    }
  };
  return {
    /** Adds a line of JSON to a stream of the log. */
    write: (stream: string, line: Readonly<Record<string, unknown>>) => {
      const message = JSON.stringify(line);
      const timestamp = now();
      last += 1;
      const id = `${timestamp}${last.toString().padStart(10, '0')}`.padStart(ID_DIGITS, '3');
      keep(`${message}\n`);
      for (const { name: filter, target, matches } of subscriptions) {
        if (!matches(message)) continue;
        const content = {
          messageType: 'DATA_MESSAGE',
          owner: ACCOUNT,
          logGroup: name,
          logStream: stream,
          subscriptionFilters: [filter],
          logEvents: [{ id, timestamp, message }],
        };
        const payload = JSON.stringify({
          awslogs: { data: gzipSync(JSON.stringify(content)).toString('base64') },
        });
        const times = faults?.decide('duplicate', sourceArn) === true ? 2 : 1;
        for (let time = 0; time < times; time += 1) void tell(target, payload);
      }
    },
    /** Deliveries in progress. */
    busy: (): number => busy,
  };
};

/** A log that a service writes. */
export type VendedLog = ReturnType<typeof openVendedLog>;
