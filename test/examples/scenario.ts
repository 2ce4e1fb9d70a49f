/** Scenario: calls every operation of the API once with success, as the clients of a concert hall would. */
import type { TidemarkOptions } from '../../standalone/tidemark.ts';
import type { TestService } from '../support/service.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { openReceiver } from '../support/webhook-receiver.ts';
import { recordAccount } from './account.ts';
import { recordExports } from './exports.ts';
import { recordImports } from './imports.ts';
import { recordPeople } from './people.ts';
import type { Exchange } from '../../functions/edge/openapi/examples.ts';
import { startRecorder } from './recorder.ts';
import { recordSegments } from './segments.ts';
import { stableExchanges } from './stable.ts';
import { recordTimelines } from './timelines.ts';

/** How to play the scenario, for those who watch the functions meanwhile. */
export interface PlayOptions {
  readonly cloud?: TidemarkOptions;
  /** Called before the first request. */
  readonly atStart?: (service: TestService) => void;
  /** Awaited after the last request, while everything still runs. */
  readonly atEnd?: (service: TestService) => Promise<void>;
}

/** Runs the scenario on a service of its own. Returns the exchanges by operation, with stable values. */
export const playScenario = async ({ cloud, atStart, atEnd }: PlayOptions = {}): Promise<
  ReadonlyMap<string, Exchange>
> => {
  await using recorder = await startRecorder(cloud);
  atStart?.(recorder.service);
  await using server = await openSftpServer();
  await using receiver = await openReceiver();
  const person = await recordPeople(recorder);
  const jazz = await recordSegments(recorder, person);
  // Exports make no segments and no people, so they change no id and no count of the others.
  await Promise.all([
    recordTimelines(recorder, jazz).then(() => recordImports(recorder, receiver)),
    recordExports(recorder, jazz, { server, receiver }),
  ]);
  await recordAccount(recorder);
  await atEnd?.(recorder.service);
  const { endpoints } = recorder.service.cloud;
  return stableExchanges(recorder.exchanges, [
    [receiver.url, 'https://hooks.example.org/tidemark'],
    [`127.0.0.1:${server.port}`, 'sftp.example.org'],
    [endpoints.base_url, 'https://tidemark.example'],
    [endpoints.aws_endpoint, 'https://s3.example.com'],
    ...(endpoints.password === undefined ? [] : [[endpoints.password, 'example-password'] as const]),
    ['127.0.0.1', '203.0.113.7'],
  ]);
};
