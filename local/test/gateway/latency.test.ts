import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it } from 'vitest';
import type { AwsService } from '../../core/types.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { jsonResponse } from '../../core/json-protocol.ts';
import { until } from '../support/until.ts';
import { addCaller, allow, clientOf, startGateway } from './cloud.ts';

/** A pause that the test ends. */
interface Pause {
  readonly milliseconds: number;
  end(): void;
}

const opened: Gateway[] = [];
afterEach(async () => {
  for (const gateway of opened.splice(0)) await gateway.close();
});

/** A gateway whose calls take 30 ms, except the calls of `quick`. The service notes the callers that it serves. */
const startSlow = async () => {
  const pauses: Pause[] = [];
  const served: string[] = [];
  const service: AwsService = {
    name: 'sqs',
    permissions: () => [{ action: 'sqs:GetQueueUrl', resource: '*' }],
    handle: (_request, caller) => {
      served.push(caller.name);
      return Promise.resolve(jsonResponse({ QueueUrl: 'url' }));
    },
  };
  const gateway = await startGateway([service], {
    latency: { call: (_service, caller) => (caller === 'quick' ? 0 : 30) },
    pause: (milliseconds) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      pauses.push({ milliseconds, end: () => resolve(undefined) });
      return promise;
    },
  });
  opened.push(gateway);
  addCaller(gateway, 'quick', [allow(['*'])]);
  const call = async (name: string, abortSignal?: AbortSignal): Promise<string | undefined> => {
    using client = new DisposableClient(clientOf(gateway, name));
    const command = new GetQueueUrlCommand({ QueueName: 'q' });
    return (await client.send(command, abortSignal ? { abortSignal } : {})).QueueUrl;
  };
  const nth = (at: number): Promise<Pause> => until(`pause ${at + 1}`, () => pauses[at]);
  return { call, nth, served };
};

class DisposableClient extends SQSClient implements Disposable {
  [Symbol.dispose](): void {
    this.destroy();
  }
}

describe('a call with a latency', () => {
  it('reaches its service after one half, and is answered after the other half', async () => {
    const { call, nth, served } = await startSlow();
    const answer = call('tester');
    const first = await nth(0);
    expect([first.milliseconds, served]).toEqual([15, []]);
    first.end();
    const second = await nth(1);
    expect([second.milliseconds, served]).toEqual([15, ['tester']]);
    second.end();
    expect(await answer).toBe('url');
  });

  it('never reaches its service when its caller ends in the first half', async () => {
    const { call, nth, served } = await startSlow();
    const ending = new AbortController();
    const answer = call('tester', ending.signal);
    const first = await nth(0);
    ending.abort();
    await expect(answer).rejects.toThrow('aborted');
    // The gateway notices the end of the connection before it serves a later call.
    await call('quick');
    first.end();
    await call('quick');
    expect(served).toEqual(['quick', 'quick']);
  });

  it('takes effect when its caller ends in the second half', async () => {
    const { call, nth, served } = await startSlow();
    const ending = new AbortController();
    const answer = call('tester', ending.signal);
    (await nth(0)).end();
    const second = await nth(1);
    ending.abort();
    await expect(answer).rejects.toThrow('aborted');
    second.end();
    expect(served).toEqual(['tester']);
  });
});
