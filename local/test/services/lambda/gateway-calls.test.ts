import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import * as v from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import { jsonBody, jsonResponse } from '../../../core/json-protocol.ts';
import type { AwsRequest, AwsService } from '../../../core/types.ts';
import type { Gateway, GatewayOptions } from '../../../gateway/gateway.ts';
import { createLogs, type Logs } from '../../../services/lambda/logs.ts';
import { createRunner, type Runner } from '../../../services/lambda/runner.ts';
import { gatewayThread } from '../../../services/lambda/gateway-thread.ts';
import { ownThread, type StartThread } from '../../../services/lambda/thread.ts';
import { until } from '../../support/until.ts';
import { REGION } from '../../../core/arn.ts';
import { allow, addCaller, startGateway } from '../../gateway/cloud.ts';
import { newFolders, ofCheckout } from '../../support/folders.ts';

const newFolder = newFolders(ofCheckout);

/** Makes the call of the event with the SDK, once, and reports the answer or the error. */
const source = `
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
const errorOf = ({ name, code, message }) => ({ name, code, message });
const withoutOperation = (next) => (args) => {
  delete args.request.headers['x-amz-target'];
  return next(args);
};
export const handler = async ({ name, plain, ...timeouts }) => {
  const client = new SQSClient({ maxAttempts: 1, requestHandler: { ...timeouts, throwOnRequestTimeout: true } });
  if (plain) client.middlewareStack.add(withoutOperation, { step: 'build', priority: 'low' });
  try {
    return { url: (await client.send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl };
  } catch (error) {
    return errorOf(error);
  }
};`;

const opened: { gateway: Gateway; runner: Runner; logs: Logs }[] = [];
afterEach(async () => {
  for (const { gateway, runner, logs } of opened.splice(0)) {
    await runner.end();
    await gateway.close();
    await logs.close();
  }
});

/** The function with the client in one file, as it would be deployed. */
const bundled = (folder: string): string => {
  const outfile = join(folder, 'index.mjs');
  const stdin = { contents: source, resolveDir: import.meta.dirname };
  buildSync({
    stdin,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
  });
  return outfile;
};

const Asked = v.object({ QueueName: v.optional(v.string()) });

/** A function behind a gateway, with the requests that its service served. The service repeats the name of the queue. */
const startIn = async (startThread: StartThread, options: GatewayOptions & { readonly may?: boolean }) => {
  const served: AwsRequest[] = [];
  const service: AwsService = {
    name: 'sqs',
    permissions: () => [{ action: 'sqs:GetQueueUrl', resource: '*' }],
    handle: (request) => {
      served.push(request);
      return Promise.resolve(jsonResponse({ QueueUrl: v.parse(Asked, jsonBody(request)).QueueName }));
    },
  };
  const gateway = await startGateway([service], options);
  addCaller(gateway, 'f', options.may === false ? [] : [allow(['*'])]);
  const folder = newFolder();
  const file = bundled(folder);
  const logs = createLogs(join(folder, 'logs'));
  const env = {
    AWS_ACCESS_KEY_ID: 'AKIAf',
    AWS_SECRET_ACCESS_KEY: 'secret-of-f',
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL: gateway.url,
  };
  const runner = createRunner({
    logs,
    gateway,
    functions: [
      {
        ...{ name: 'f', arn: 'arn:f', file, exportName: 'handler', env, memoryMb: 256 },
        ...{ timeoutSeconds: 20, logGroup: '/f', mostSandboxes: 1, startThread },
      },
    ],
  });
  opened.push({ gateway, runner, logs });
  const invoke = async (event: object): Promise<unknown> => {
    const outcome = await runner.invoke('f', JSON.stringify(event));
    return outcome.ok ? JSON.parse(outcome.payload) : outcome;
  };
  return { invoke, served, gateway, runner };
};

/** Half of a call's latency, which the test ends. */
const heldCalls = () => {
  const held: (() => void)[] = [];
  const pause = (): Promise<undefined> => {
    const { promise, resolve: end } = Promise.withResolvers<undefined>();
    held.push(() => end(undefined));
    return promise;
  };
  return { pause, nth: (at: number) => until(`pause ${at + 1}`, () => held[at]) };
};

describe.each([
  ['a thread of its own', ownThread],
  ['the thread of the gateway', gatewayThread],
])('a JSON call of a function in %s', (_, startThread) => {
  const start = (options: Parameters<typeof startIn>[1] = {}) => startIn(startThread, options);

  it('reaches its service over the port, signed and unchanged, and gets the answer', async () => {
    const { invoke, served } = await start();
    expect(await invoke({ name: 'é 中 😀' })).toEqual({ url: 'é 中 😀' });
    const [request] = served;
    expect(request?.headers['connection']).toBeUndefined();
    expect(request?.headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAf\/.*Signature=[0-9a-f]{64}$/,
    );
    expect(request?.headers).toMatchObject({
      'content-length': String(Buffer.byteLength('{"QueueName":"é 中 😀"}')),
      'x-amz-target': 'AmazonSQS.GetQueueUrl',
    });
  });

  it('that no policy allows is refused and recorded', async () => {
    const { invoke, gateway, served } = await start({ may: false });
    expect(await invoke({ name: 'q' })).toMatchObject({ name: 'AccessDenied' });
    expect(gateway.denials.list()).toMatchObject([{ caller: 'f', action: 'sqs:GetQueueUrl' }]);
    expect(served).toEqual([]);
  });

  it('whose answer is lost fails like a closed connection', async () => {
    const call = () => ({ fault: 'lost', random: 0 }) as const;
    const faults = { seed: 1, rate: 1, call, decide: () => false, random: () => 0 };
    const { invoke, served } = await start({ faults });
    const error = { name: 'TimeoutError', code: 'ECONNRESET', message: 'socket hang up' };
    expect(await invoke({ name: 'q' })).toMatchObject(error);
    expect(served).toHaveLength(1);
  });

  it('that takes longer than a connection is no failed connection', async () => {
    const { invoke } = await start({ latency: { call: () => 300 } });
    expect(await invoke({ name: 'q', connectionTimeout: 100 })).toEqual({ url: 'q' });
  });

  it('that the function gives up on its way never reaches the service', async () => {
    const { pause, nth } = heldCalls();
    const { invoke, served } = await start({ latency: { call: () => 30 }, pause });
    expect(await invoke({ name: 'q', requestTimeout: 200 })).toMatchObject({ name: 'TimeoutError' });
    const next = invoke({ name: 'next' });
    // The gateway has the second call, and so it has the end of the first.
    (await nth(1))();
    (await nth(0))();
    (await nth(2))();
    expect(await next).toEqual({ url: 'next' });
    expect(served.map(jsonBody)).toEqual([{ QueueName: 'next' }]);
  });

  it('of a sandbox that ended on its way never reaches the service', async () => {
    const { pause, nth } = heldCalls();
    const { invoke, served, runner, gateway } = await start({ latency: { call: () => 30 }, pause });
    const ended = invoke({ name: 'q' });
    const goOn = await nth(0);
    await runner.end();
    expect(await ended).toMatchObject({ ok: false });
    await until('the end of the port', () => gateway.openPorts() === 0 || undefined);
    goOn();
    await nextTurn();
    expect(served).toEqual([]);
  });
});

it('a call that names no operation in a header goes over HTTP', async () => {
  const { invoke, served } = await startIn(ownThread, {});
  expect(await invoke({ name: 'q', plain: true })).toEqual({ url: 'q' });
  expect(served[0]?.headers['x-amz-target']).toBeUndefined();
  expect(served[0]?.headers['connection']).toBe('keep-alive');
});
