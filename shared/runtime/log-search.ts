/** Log search: implements the `FindLines` port with CloudWatch Logs. */
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { clientOptions } from './aws-client.ts';
import type { Clock } from './clock.ts';
import type { FindLines } from './ports.ts';

/** A search of a large log ends here with the lines that it has found: whoever asks wants an answer soon. */
const SEARCH_MS = 15_000;

/** Lines of a log group that contain one of some words. */
export const logSearch =
  (clock: Clock, logs = new CloudWatchLogsClient(clientOptions())): FindLines =>
  async (logGroupName, words, since) => {
    const until = clock() + SEARCH_MS;
    const filterPattern = words.map((word) => `?"${word}"`).join(' ');
    const lines: string[] = [];
    let nextToken: string | undefined;
    do {
      const page = await logs.send(
        new FilterLogEventsCommand({
          logGroupName,
          filterPattern,
          startTime: since,
          ...(nextToken !== undefined && { nextToken }),
        }),
      );
      for (const { message } of page.events ?? []) if (message !== undefined) lines.push(message);
      ({ nextToken } = page);
    } while (nextToken !== undefined && clock() < until);
    return lines;
  };
