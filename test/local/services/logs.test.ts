import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Gateway } from '../../../local/gateway/gateway.ts';
import { logsService } from '../../../local/services/logs/logs.ts';
import { logSearch } from '../../../shared/runtime/log-search.ts';
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

const searchAs = (name: string) => logSearch(() => 0, new CloudWatchLogsClient(clientOf(gateway, name)));

it('a search finds the lines that contain one of its words, in their order', async () => {
  expect(await searchAs('reader')('/aws/lambda/drain', ['message.failed', 'message.unknown'], 0)).toEqual([
    lines[0],
    lines[2],
  ]);
  expect(await searchAs('tester')('/aws/lambda/other', ['message.failed'], 0)).toEqual([]);
});

it('a role searches only the log groups that its policy names', async () => {
  await expect(searchAs('reader')('/aws/lambda/other', ['message.failed'], 0)).rejects.toThrow(
    'logs:FilterLogEvents',
  );
});

it('a filter pattern of another form is refused, so that no search seems to find nothing', async () => {
  const client = new CloudWatchLogsClient(clientOf(gateway));
  const asked = { logGroupName: '/aws/lambda/drain', filterPattern: '{ $.code = "message.failed" }' };
  await expect(client.send(new FilterLogEventsCommand(asked))).rejects.toThrow('not supported');
});
