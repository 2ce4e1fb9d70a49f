import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, describe, expect, it } from 'vitest';
import { startFixture, accessTo } from './fixtures/cloud.ts';
import { storedBodies } from './fixtures/items.ts';
import { until } from './support/until.ts';

const FUNCTION = 'fixture-work-worker';

const cloud = await startFixture({ strictness: { realConcurrency: 1 } });
const client = new LambdaClient({ ...accessTo(cloud), maxAttempts: 1 });
afterAll(async () => {
  client.destroy();
  await cloud.stop();
});

// A request takes the only concurrent execution for five seconds. The calls of the tests are made meanwhile.
const sleeper = fetch(`${cloud.baseUrl}/files/sleep`, { method: 'POST' });
await until('the sleeper runs', () => cloud.parts.runner.running() > 0 || undefined);
const refused = await fetch(`${cloud.baseUrl}/healthz`);
const call = client.send(new InvokeCommand({ FunctionName: FUNCTION, Payload: '{}' }));
const [throttled] = await Promise.allSettled([call]);
const event = { FunctionName: FUNCTION, InvocationType: 'Event', Payload: '{"a":1}' } as const;
const { StatusCode: accepted } = await client.send(new InvokeCommand(event));
const work = cloud.deployment.queues.find(({ logicalId }) => /^Work(?!Dead)/.test(logicalId));
cloud.parts.storage.sqs.queue(work?.name ?? '').send('patient');
await sleeper;

describe('in an account whose concurrency is used up', () => {
  it('the HTTP API answers 503 as API Gateway does', async () => {
    expect([refused.status, await refused.json()]).toEqual([503, { message: 'Service Unavailable' }]);
  });

  it('a synchronous invocation is throttled with the reason', () => {
    expect(throttled).toMatchObject({
      status: 'rejected',
      reason: {
        name: 'TooManyRequestsException',
        Reason: 'ConcurrentInvocationLimitExceeded',
        $metadata: { httpStatusCode: 429 },
      },
    });
  });

  it('an asynchronous invocation and a message wait until there is room', async () => {
    expect(accepted).toBe(202);
    await until('both are stored', async () => {
      const bodies = await storedBodies(cloud);
      return (bodies.includes('{"a":1}') && bodies.includes('patient')) || undefined;
    });
    // The invocation that stored the last of the two ends a little later.
    await until(
      'a request finds room',
      async () => (await fetch(`${cloud.baseUrl}/healthz`)).status === 200 || undefined,
    );
  });
});

it('a template that reserves more concurrency than the account has does not start', async () => {
  const start = startFixture({ strictness: { realConcurrency: 10 }, reserved: '1' });
  await expect(start).rejects.toThrow('below its minimum value of [10]');
});
