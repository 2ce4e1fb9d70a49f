/**
 * What a stage costs while nobody uses it, counted from its template. The SFTP server is not part of it. The free tiers
 * of AWS are not taken off, because other software of the account may use them up.
 */
import type { FunctionEntry } from '../../functions/entry.ts';
import { prices } from '../support/prices.ts';
import type { Deployment } from '../../local/assembly/deployment.ts';

const hours = 730;
const minutes = hours * 60;

/** Lambda polls each queue with five pollers, and an empty answer takes 20 s (Lambda guide, "Polling and batching"). */
const pollsAMonth = 5 * 3 * minutes;

/** A call that finds nothing to do: an upper bound of its seconds and of its log lines in bytes. */
const emptyCall = { seconds: 0.2, logBytes: 1_000 } as const;

/** Read units of such a call, counted by the meter of the embedded cloud with two accounts and no jobs. */
const readUnits: Readonly<Record<string, number>> = {
  advanceBrands: 1,
  // Of `health`, which it calls.
  canary: 1,
  followBirthdays: 1,
  measureSizes: 6,
  // One for each partition of the tasks, and every tenth minute one for each of the lists that release 0.2.0 has left.
  reconcileTasks: 23,
  sweep: 32,
};

/** Of a function that nobody has counted yet. */
const mostReadUnits = 32;

/** DynamoDB asks KMS again for the key of a table after five minutes, for each role. */
const keyRequestsOfRole = minutes / 5;

const callsAMonth = (expression: string): number => {
  const [, every] =
    /^rate\((\d+) minutes?\)$/.exec(expression.replace('1 hour', '60 minutes')) ??
    /^cron\(\d+\/(\d+) \* \* \* \? \*\)$/.exec(expression) ??
    [];
  if (every === undefined) throw new Error(`The idle cost cannot count ${expression}`);
  return minutes / Number(every);
};

const costOfCall = (name: string, { memoryMb }: FunctionEntry): number =>
  prices.scheduledCall +
  prices.call +
  (memoryMb / 1_024) * emptyCall.seconds * prices.gigabyteSecond +
  (emptyCall.logBytes / 1e9) * prices.logGigabyte +
  (readUnits[name] ?? mostReadUnits) * prices.readUnit;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Dollars a month, by what costs them. */
export const idleCost = (
  { alarms, dashboards, keys, mappings, queues }: Deployment,
  functions: readonly (readonly [name: string, entry: FunctionEntry])[],
): Readonly<Record<'alarms' | 'dashboard' | 'keys' | 'polling' | 'schedules', number>> => {
  const scheduled = functions.flatMap(([name, entry]) =>
    entry.trigger.kind === 'schedule' ? [{ name, entry, calls: callsAMonth(entry.trigger.expression) }] : [],
  );
  const metrics = alarms.flatMap(({ properties }) =>
    properties.Metrics.filter(({ MetricStat }) => MetricStat),
  );
  const isFifo = (arn: string): boolean =>
    queues.some(({ attributes, properties }) => attributes['Arn'] === arn && properties.FifoQueue);
  return {
    alarms: metrics.length * prices.alarmMetric,
    dashboard: dashboards.length * prices.dashboard,
    keys: keys.length * prices.key + scheduled.length * keyRequestsOfRole * prices.keyRequest,
    polling: sum(
      mappings.map(
        ({ properties }) =>
          pollsAMonth * prices.queueRequest[isFifo(properties.EventSourceArn) ? 'fifo' : 'standard'],
      ),
    ),
    schedules: sum(scheduled.map(({ name, entry, calls }) => calls * costOfCall(name, entry))),
  };
};
