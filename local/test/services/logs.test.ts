import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Gateway } from '../../gateway/gateway.ts';
import { logsService } from '../../services/logs/logs.ts';
import { addCaller, allow, clientOf, startGateway } from '../gateway/cloud.ts';

const lines = ['{"code":"message.failed"}', 'START', '{"code":"message.unknown"}', '{"code":"task.done"}'];
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway([
    logsService((name) => Promise.resolve(name === 'drain' ? lines.join('\n') : '')),
  ]);
  const group = 'arn:aws:logs:us-east-1:000000000000:log-group:/aws/lambda/drain:*';
  addCaller(gateway, 'reader', [allow(['logs:FilterLogEvents'], [group])]);
});
afterAll(() => gateway.close());

const search = async (logGroupName: string, filterPattern: string, as = 'tester') => {
  const client = new CloudWatchLogsClient(clientOf(gateway, as));
  const { events = [] } = await client.send(new FilterLogEventsCommand({ logGroupName, filterPattern }));
  return events.map(({ message }) => message);
};

it('a search finds the lines that contain one of its words, in their order', async () => {
  const words = '?"message.failed" ?"message.unknown"';
  expect(await search('/aws/lambda/drain', words, 'reader')).toEqual([lines[0], lines[2]]);
  expect(await search('/aws/lambda/other', words)).toEqual([]);
});

it('a role searches only the log groups that its policy names', async () => {
  await expect(search('/aws/lambda/other', '?"message.failed"', 'reader')).rejects.toThrow(
    'logs:FilterLogEvents',
  );
});

it('a filter pattern of another form is refused, so that no search seems to find nothing', async () => {
  await expect(search('/aws/lambda/drain', '{ $.code = "message.failed" }')).rejects.toThrow('not supported');
});
