import { describe, expect, test } from 'vitest';
import { TidemarkConnectionError } from '../../client/src/index.ts';
import { systemPorts } from '../../client/src/ports.ts';
import { clientOf, startServer, type Received, type Reply } from './small-server.ts';

/** Gives the replies in their order, then an empty success. */
const inOrder =
  (...replies: readonly Reply[]) =>
  (_: unknown, before: number): Reply =>
    replies[before] ?? { body: {} };

const problem = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { code, detail: '' },
});

/** Deletes what a first request names, and loses the answer. */
const deletes = (lost: Reply) => {
  const gone = new Set<string>();
  return ({ url }: Received): Reply => {
    if (gone.has(url)) return problem(404, 'not_found');
    gone.add(url);
    return lost;
  };
};

const token = { access_token: 'new', expires_in: 3600 };

const busy = problem(503, 'unavailable');

describe('retries of the client', () => {
  test.each<[string, Reply]>([
    ['429', problem(429, 'rate_limited')],
    ['503', busy],
    ['a gateway without the service', problem(502, 'x')],
    ['a broken connection', 'break'],
    ['an answer that ends in the middle', 'truncate'],
    ['a POST whose first attempt is still running', problem(409, 'idempotency_in_progress')],
  ])('follow %s', async (_, reply) => {
    await using server = await startServer(inOrder(reply, reply));
    await clientOf(server).tidemark.createProfile({ body: { email: 'ada@example.org' } });
    expect(server.received).toHaveLength(3);
  });

  test('send the same Idempotency-Key, and another one for another call', async () => {
    await using server = await startServer(inOrder(busy, busy));
    const { tidemark } = clientOf(server);
    await tidemark.createProfile({ body: { email: 'ada@example.org' } });
    await tidemark.createProfile({ body: { email: 'ada@example.org' } });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[!-~]{36}$/);
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test('keep the Idempotency-Key of the caller', async () => {
    await using server = await startServer(inOrder(busy));
    const call = { body: { email: 'ada@example.org' }, headers: { 'Idempotency-Key': 'order-4711' } };
    await clientOf(server).tidemark.createProfile(call);
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'order-4711',
      'order-4711',
    ]);
  });

  test.each([400, 401, 404, 409, 422, 500])('do not follow %i', async (status) => {
    await using server = await startServer(() => problem(status, 'no'));
    await expect(clientOf(server).tidemark.createProfile({ body: {} })).rejects.toMatchObject({ status });
    expect(server.received).toHaveLength(1);
  });

  test('do not follow a broken connection where a second request could act twice', async () => {
    await using server = await startServer(() => 'break');
    const confirm = clientOf(server).tidemark.confirmAddress({ path: { capability: 'c' } });
    await expect(confirm).rejects.toThrow(TidemarkConnectionError);
    expect(server.received).toHaveLength(1);
  });

  test('follow a broken connection at the end of a token and at a sign-in, but make no second key', async () => {
    await using server = await startServer((_, before) => (before % 2 === 0 ? 'break' : { body: token }));
    const { tidemark } = clientOf(server);
    const signIn = { grant_type: 'password', client_id: 'c', username: 'ada', password: 'p' } as const;
    await tidemark.revokeToken({ body: { token: 'old' } });
    await tidemark.issueToken({ body: { ...signIn, name: null } });
    expect(server.received).toHaveLength(4);
    const key = tidemark.issueToken({ body: { ...signIn, name: 'Box office' } });
    await expect(key).rejects.toThrow(TidemarkConnectionError);
    expect(server.received).toHaveLength(5);
  });

  test('are four, wait longer each time, and end with the last failure', async () => {
    await using server = await startServer(() => busy);
    const { tidemark, waits } = clientOf(server);
    await expect(tidemark.listExports()).rejects.toMatchObject({ status: 503 });
    expect(server.received).toHaveLength(5);
    expect(waits).toEqual([250, 500, 1000, 2000]);
  });

  test('wait as long as Retry-After says, in seconds or as a date', async () => {
    const date = new Date(20_000).toUTCString();
    await using server = await startServer(
      inOrder(problem(429, 'x', { 'retry-after': '7' }), problem(503, 'x', { 'retry-after': date })),
    );
    const { tidemark, waits } = clientOf(server, { ports: { now: () => 11_500 } });
    await tidemark.listExports();
    expect(waits).toEqual([7_250, 9_500]);
  });

  test('give up at once if Retry-After is far away', async () => {
    await using server = await startServer(() => problem(429, 'too_early', { 'retry-after': '3512' }));
    const { tidemark, waits } = clientOf(server);
    await expect(tidemark.createMoment({ path: { timeline_id: 1 } })).rejects.toMatchObject({
      code: 'too_early',
      retryAfter: 3512,
    });
    expect(waits).toEqual([]);
  });

  test('wait for a Retry-After of exactly the longest wait', async () => {
    await using server = await startServer(inOrder(problem(429, 'rate_limited', { 'retry-after': '30' })));
    const { tidemark, waits } = clientOf(server);
    await tidemark.getCaller();
    expect(waits).toEqual([30_250]);
  });

  test('throw the reason of the caller who aborts during a wait', async () => {
    const caller = new AbortController();
    const wait = systemPorts.sleep(60_000, caller.signal);
    caller.abort(new Error('enough'));
    await expect(wait).rejects.toThrow('enough');
  });

  test('end when the caller aborts', async () => {
    const caller = new AbortController();
    await using server = await startServer(() => {
      caller.abort(new Error('enough'));
      return busy;
    });
    await expect(clientOf(server).tidemark.getCaller({ signal: caller.signal })).rejects.toThrow('enough');
    expect(server.received).toHaveLength(1);
  });

  test('end with the signal of the client, unless a call has another one or none', async () => {
    const user = new AbortController();
    user.abort(new Error('enough'));
    await using server = await startServer(inOrder());
    const { tidemark } = clientOf(server, { signal: user.signal });
    const path = { import_id: 3, job_id: 4 };
    const { signal } = new AbortController();
    await expect(tidemark.getCaller()).rejects.toThrow('enough');
    await expect(tidemark.openLocation(`${server.url}/file`)).rejects.toThrow('enough');
    await expect(tidemark.waitForImport({ importId: 3, jobId: 4 })).rejects.toThrow('enough');
    await expect(tidemark.forProperty(7).getImportJob({ path })).rejects.toThrow('enough');
    expect(server.received).toEqual([]);
    await tidemark.getCaller({ signal });
    await tidemark.cancelImportJob({ path, signal: undefined });
    expect(server.received).toHaveLength(2);
  });

  test.each<[string, Reply]>([
    ['the connection is cut', 'break'],
    ['the answer ends in the middle', 'truncate'],
    ['a gateway gives up', problem(504, 'x')],
  ])('of a DELETE succeed when %s after the service has deleted the thing', async (_, lost) => {
    await using server = await startServer(deletes(lost));
    const { tidemark } = clientOf(server);
    expect(await tidemark.deleteExport({ path: { export_id: 5 } })).toEqual({ id: '5' });
    expect(await tidemark.deleteSegment({ path: { segment_id: 6 } })).toEqual({ id: 6 });
    expect(server.received).toHaveLength(4);
  });

  test('of a DELETE whose answer is returned unread succeed as well', async () => {
    await using server = await startServer(deletes('break'));
    const { tidemark } = clientOf(server);
    const raw = await tidemark.response('deleteTimeline', { path: { timeline_id: 7 } });
    expect([raw.status, await raw.json()]).toEqual([200, { id: 7 }]);
  });

  test('of a DELETE succeed when the token expires between the attempts', async () => {
    await using server = await startServer(
      inOrder('break', problem(401, 'unauthorized'), { body: token }, problem(404, 'not_found')),
    );
    const { tidemark } = clientOf(server, { clientId: 'c', username: 'ada', password: 'p' });
    expect(await tidemark.deleteExport({ path: { export_id: 5 } })).toEqual({ id: '5' });
  });

  test.each<[string, readonly Reply[]]>([
    ['no attempt was without an answer', [problem(404, 'not_found')]],
    ['the first attempt did nothing', [problem(429, 'rate_limited'), problem(404, 'not_found')]],
    ['another server answers', ['break', { status: 404, body: {} }]],
  ])('of a DELETE end with 404 when %s', async (_, replies) => {
    await using server = await startServer(inOrder(...replies));
    const deletion = clientOf(server).tidemark.deleteExport({ path: { export_id: 5 } });
    await expect(deletion).rejects.toMatchObject({ status: 404 });
    expect(server.received).toHaveLength(replies.length);
  });

  test('of a DELETE end with 404 when nothing listened at first', async () => {
    const stopped = await startServer(inOrder());
    await stopped[Symbol.asyncDispose]();
    await using server = await startServer(() => problem(404, 'not_found'));
    let sent = 0;
    const { tidemark } = clientOf(server, {
      ports: {
        fetch: (input, init) => {
          sent += 1;
          return fetch(sent === 1 ? stopped.url : input, init);
        },
      },
    });
    const deletion = tidemark.deleteExport({ path: { export_id: 5 } });
    await expect(deletion).rejects.toMatchObject({ status: 404 });
    expect(sent).toBe(2);
  });

  test('of forgetProfile end with 404, because nobody knows what was removed', async () => {
    await using server = await startServer(deletes('break'));
    const forgotten = clientOf(server).tidemark.forgetProfile({ query: { email: 'ada@example.org' } });
    await expect(forgotten).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('of a POST after a lost answer stop when its key is too old, also if the service was only busy since', async () => {
    let now = 0;
    await using server = await startServer((_, before) => {
      if (before === 0) return 'break';
      now += 13 * 3_600_000;
      return { status: 429, body: { code: 'rate_limited' } };
    });
    const { tidemark } = clientOf(server, { ports: { now: () => now } });
    await expect(tidemark.createProfile({ body: { email: 'ada@example.org' } })).rejects.toMatchObject({
      status: 429,
    });
    expect(server.received).toHaveLength(2);
  });

  test.each(['request', 'wait'])(
    'of a POST do not follow a sleep within its %s in which the service may have forgotten its key',
    async (asleep) => {
      const hours = 3_600_000;
      for (const [slept, attempts] of [
        [11 * hours, 2],
        [13 * hours, 1],
      ] as const) {
        let now = 0;
        const sleepIn = (place: string): void => {
          if (place === asleep) now += slept;
        };
        await using server = await startServer((_, before) => {
          sleepIn('request');
          return before === 0 ? 'break' : { body: {} };
        });
        const sleep = (): Promise<void> => {
          sleepIn('wait');
          return Promise.resolve();
        };
        const { tidemark } = clientOf(server, { ports: { now: () => now, sleep } });
        await tidemark.createProfile({ body: { email: 'ada@example.org' } }).catch((error: unknown) => {
          expect(error).toBeInstanceOf(TidemarkConnectionError);
        });
        expect(server.received).toHaveLength(attempts);
      }
    },
  );

  test('follow an attempt that got no answer in time', async () => {
    const silent = new Promise<Response>(() => undefined);
    await using server = await startServer(inOrder());
    let sent = 0;
    const { tidemark } = clientOf(server, {
      timeoutMs: 1,
      ports: {
        fetch: (input, init) => {
          sent += 1;
          if (sent > 1) return fetch(input, { ...init, signal: null });
          return Promise.race([silent, aborted(init?.signal)]);
        },
      },
    });
    await tidemark.getCaller();
    expect(sent).toBe(2);
  });
});

/** Rejects when the signal aborts. */
const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('late')));
  });
