import type { Gateway } from '../../gateway/gateway.ts';
import { logsService } from '../../services/logs/logs.ts';
import { addCaller, allow, startGateway } from '../gateway/cloud.ts';

/** The lines of the log `/aws/lambda/drain`. Other logs are empty. */
export const lines = [
  '{"code":"message.failed"}',
  'START',
  '{"code":"message.unknown"}',
  '{"code":"task.done"}',
] as const;

/** Starts the search of logs, for `tester` and for `reader`, who may search that log alone. */
export const startLogs = async (): Promise<Gateway> => {
  const service = logsService((name) => Promise.resolve(name === 'drain' ? lines.join('\n') : ''));
  const gateway = await startGateway([service]);
  const group = 'arn:aws:logs:us-east-1:000000000000:log-group:/aws/lambda/drain:*';
  addCaller(gateway, 'reader', [allow(['logs:FilterLogEvents'], [group])]);
  return gateway;
};
