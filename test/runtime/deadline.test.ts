import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_ATTEMPTS } from '../../shared/runtime/aws-client.ts';
import { isUnavailable } from '../../shared/runtime/aws-errors.ts';
import { callInTime, Deadline, withDeadline } from '../../shared/runtime/deadline.ts';
import { dynamoDb, type DynamoDb } from '../../shared/table/dynamo-calls.ts';
import { webhookSender } from '../../shared/webhooks/sender.ts';
import { listening, type Listening } from '../support/listening.ts';

let server: Listening;
let url = '';
let requests = 0;

/** The fate of a request: its status, or `hangs`. */
let fate: (request: number) => number | 'hangs' = () => 200;

/** Told of each request, and of each connection that ends without an answer. */
let arrived: () => void = () => undefined;
let broken: () => void = () => undefined;

beforeAll(async () => {
  const answering = createServer((request, response) => {
    requests += 1;
    const status = fate(requests);
    request.resume();
    if (status === 'hangs') response.on('close', () => broken());
    else
      request.on('end', () => {
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
        response.end('{}');
      });
    arrived();
  });
  server = await listening(answering);
  url = server.url;
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  requests = 0;
  fate = () => 200;
});

let client: DynamoDb | undefined;
afterEach(() => client?.destroy());

const put = (): Promise<unknown> => {
  client ??= dynamoDb({
    endpoint: url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  return client.call('PutItem', { TableName: 't', Item: { pk: { S: 'a' } } });
};

/** An event that the test waits for. */
const signalled = () => {
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  return { tell, told };
};

/** Work in a deadline without an end, with its outcome. */
const runIn = (deadline: Deadline, work: () => Promise<unknown>): Promise<unknown> =>
  deadline.run(work).then(
    () => 'done',
    (error: unknown) => error,
  );
const endless = () => new Deadline({ clock: () => 0, until: Number.POSITIVE_INFINITY });

describe('a call to AWS', () => {
  it('is made, and tried again, while there is time', async () => {
    fate = (request) => (request < MAX_ATTEMPTS ? 500 : 200);
    await withDeadline({ clock: () => 0, until: 1 }, put);
    expect(requests).toBe(MAX_ATTEMPTS);
  });

  it('is not tried again after the deadline', async () => {
    let now = 0;
    fate = () => 500;
    arrived = () => (now = 10);
    const told = await withDeadline({ clock: () => now, until: 10 }, put).catch((error: unknown) => error);
    arrived = () => undefined;
    expect(isUnavailable(told)).toBe(true);
    expect(requests).toBe(1);
  });

  it('is broken off when the deadline closes', async () => {
    fate = () => 'hangs';
    const [here, gone] = [signalled(), signalled()];
    [arrived, broken] = [here.tell, gone.tell];
    const deadline = endless();
    const told = runIn(deadline, put);
    await here.told;
    deadline.close();
    expect(isUnavailable(await told)).toBe(true);
    await gone.told;
    expect(requests).toBe(1);
  });

  it('is not sent by work that was thawed beside another request of the process', async () => {
    const thaw = signalled();
    const frozen = endless();
    const late = runIn(frozen, async () => {
      await thaw.told;
      await put();
    });
    frozen.close();
    const present = endless();
    const told = await runIn(present, async () => {
      thaw.tell();
      expect(isUnavailable(await late)).toBe(true);
      expect(requests).toBe(0);
      await put();
    });
    expect(told).toBe('done');
    expect(requests).toBe(1);
  });

  it('is not sent by what goes on after its work has ended', async () => {
    const goOn = signalled();
    let left: Promise<unknown> = Promise.resolve();
    await endless().run(() => {
      left = goOn.told.then(put).catch((error: unknown) => error);
      return Promise.resolve();
    });
    goOn.tell();
    expect(isUnavailable(await left)).toBe(true);
    expect(requests).toBe(0);
  });
});

describe('a deadline within another', () => {
  const isOpen = () => callInTime(() => Promise.resolve(true)).catch(() => false);

  it.each([
    [1, 5],
    [5, 1],
  ])('ends at the earlier of %i and %i', async (outer, inner) => {
    let now = 0;
    const clock = () => now;
    const open = await withDeadline({ clock, until: outer }, () =>
      withDeadline({ clock, until: inner }, async () => {
        const before = await isOpen();
        now = 1;
        return [before, await isOpen()];
      }),
    );
    expect(open).toEqual([true, false]);
  });

  it('closes with the outer one, and leaves the outer one open when it closes itself', async () => {
    const outer = endless();
    await outer.run(async () => {
      await withDeadline({ clock: () => 0, until: 1 }, () => Promise.resolve());
      expect(await isOpen()).toBe(true);
      await withDeadline({ clock: () => 0, until: 1 }, async () => {
        outer.close();
        expect(await isOpen()).toBe(false);
      });
    });
  });

  it('does not begin when it is over', async () => {
    let begun = false;
    const late = withDeadline({ clock: () => 1, until: 1 }, () => Promise.resolve((begun = true)));
    await expect(late).rejects.toThrow('the time for this work is over');
    expect(begun).toBe(false);
  });
});

describe('a webhook call', () => {
  const send = webhookSender({
    resolve: () => Promise.resolve(['127.0.0.1']),
    privateTargets: 'loopback',
    timeoutMs: 30_000,
  });
  const call = () => send({ url, headers: {}, body: '{}' });

  it('is not sent after the deadline', async () => {
    const deadline = endless();
    const told = await runIn(deadline, () => {
      deadline.close();
      return call();
    });
    expect(isUnavailable(told)).toBe(true);
    expect(requests).toBe(0);
  });

  it('is broken off when the deadline closes', async () => {
    fate = () => 'hangs';
    const [here, gone] = [signalled(), signalled()];
    [arrived, broken] = [here.tell, gone.tell];
    const deadline = endless();
    const told = runIn(deadline, call);
    await here.told;
    deadline.close();
    await Promise.all([told, gone.told]);
    expect(requests).toBe(1);
  });
});
