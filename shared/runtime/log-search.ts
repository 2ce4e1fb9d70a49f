/** Log search: implements the `FindLines` port with CloudWatch Logs. */
import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  type FilterLogEventsCommandInput,
  type FilterLogEventsCommandOutput,
} from '@aws-sdk/client-cloudwatch-logs';
import { isThrottle } from './aws-errors.ts';
import { clientOptions } from './aws-client.ts';
import type { Clock } from './clock.ts';
import type { FindLines } from './ports.ts';

/** A search of a large log ends here with the lines that it has found, because an operator waits for the answer. */
const SEARCH_MS = 15_000;

/**
 * Lines of a log group that contain one of some words. A page has up to 1 MB, and only one page is in memory. A search
 * that CloudWatch Logs throttles ends: it allows few searches a second in an account, whatever the number of callers.
 */
export const logSearch = (
  clock: Clock,
  logs = new CloudWatchLogsClient(clientOptions('CLOUDWATCH_LOGS')),
): FindLines =>
  async function* (logGroupName, words, since) {
    const until = clock() + SEARCH_MS;
    const filterPattern = words.map((word) => `?"${word}"`).join(' ');
    let nextToken: string | undefined;
    do {
      const page = await pageOf(logs, {
        logGroupName,
        filterPattern,
        startTime: since,
        ...(nextToken !== undefined && { nextToken }),
      });
      for (const { message } of page.events ?? []) if (message !== undefined) yield message;
      ({ nextToken } = page);
    } while (nextToken !== undefined && clock() < until);
  };

/** A page of a search; the last and empty page when CloudWatch Logs throttles. */
const pageOf = async (
  logs: CloudWatchLogsClient,
  input: FilterLogEventsCommandInput,
): Promise<Pick<FilterLogEventsCommandOutput, 'events' | 'nextToken'>> => {
  try {
    return await logs.send(new FilterLogEventsCommand(input));
  } catch (error) {
    if (isThrottle(error)) return {};
    throw error;
  }
};
