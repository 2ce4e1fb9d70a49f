import {
  CloudWatchLogsClient,
  CloudWatchLogsServiceException,
  type FilterLogEventsCommandOutput,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Gateway } from '../../local/gateway/gateway.ts';
import { logSearch } from '../../shared/runtime/log-search.ts';
import { clientOf } from '../../local/test/gateway/cloud.ts';
import { lines, startLogs } from '../../local/test/services/searched-log.ts';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startLogs();
});
afterAll(() => gateway.close());

const searchAs =
  (name: string) =>
  (log: string, ...words: readonly string[]): Promise<readonly string[]> =>
    Array.fromAsync(logSearch(() => 0, new CloudWatchLogsClient(clientOf(gateway, name)))(log, words, 0));

it('a search finds the lines that contain one of its words, in their order', async () => {
  expect(await searchAs('reader')('/aws/lambda/drain', 'message.failed', 'message.unknown')).toEqual([
    lines[0],
    lines[2],
  ]);
  expect(await searchAs('tester')('/aws/lambda/other', 'message.failed')).toEqual([]);
});

/** A client of a large log: each call answers as `page` says, from its number on. */
const largeLog = (page: (call: number) => FilterLogEventsCommandOutput | Error) => {
  const client = new CloudWatchLogsClient({ ...clientOf(gateway), maxAttempts: 1 });
  let calls = 0;
  client.middlewareStack.add(
    () => () => {
      const answer = page((calls += 1));
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve({ output: answer, response: {} });
    },
    { step: 'initialize' },
  );
  return { client, calls: () => calls };
};
const fullPage = (call: number): FilterLogEventsCommandOutput => ({
  $metadata: {},
  events: [{ message: `line ${call}` }],
  nextToken: 'more',
});

it('a search of a large log ends after 15 seconds with the lines that it has found', async () => {
  const log = largeLog(fullPage);
  const search = logSearch(() => log.calls() * 5_000, log.client);
  expect(await Array.fromAsync(search('/aws/lambda/drain', ['line'], 0))).toEqual([
    'line 1',
    'line 2',
    'line 3',
  ]);
});

it('a search asks for no page that its caller does not read', async () => {
  const log = largeLog(fullPage);
  for await (const line of logSearch(() => 0, log.client)('/aws/lambda/drain', ['line'], 0))
    if (line === 'line 2') break;
  expect(log.calls()).toBe(2);
});

it('a search that CloudWatch Logs throttles ends with the lines that it has found; other errors are thrown', async () => {
  const refuse = (name: string) => {
    const error = new CloudWatchLogsServiceException({
      name,
      message: 'No.',
      $fault: 'client',
      $metadata: {},
    });
    const log = largeLog((call) => (call === 1 ? fullPage(call) : error));
    return Array.fromAsync(logSearch(() => 0, log.client)('/aws/lambda/drain', ['line'], 0));
  };
  expect(await refuse('ThrottlingException')).toEqual(['line 1']);
  await expect(refuse('InvalidParameterException')).rejects.toThrow('No.');
});
