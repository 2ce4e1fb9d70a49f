import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, expect, it } from 'vitest';
import { clientOf } from '../gateway/cloud.ts';
import { startLogs } from './searched-log.ts';

const gateway = await startLogs();
afterAll(() => gateway.close());

const search = async (logGroupName: string, filterPattern: string, as = 'tester') => {
  const client = new CloudWatchLogsClient(clientOf(gateway, as));
  return client.send(new FilterLogEventsCommand({ logGroupName, filterPattern }));
};

it('a role searches only the log groups that its policy names', async () => {
  await expect(search('/aws/lambda/other', '?"message.failed"', 'reader')).rejects.toThrow(
    'logs:FilterLogEvents',
  );
});

it('a filter pattern of another form is refused, so that no search seems to find nothing', async () => {
  await expect(search('/aws/lambda/drain', '{ $.code = "message.failed" }')).rejects.toThrow('not supported');
});
