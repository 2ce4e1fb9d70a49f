import { createServer } from 'node:net';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Resolve } from '../../shared/webhooks/checked-addresses.ts';
import { type SendOutcome, webhookSender } from '../../shared/webhooks/sender.ts';
import { loopbackHosts, privateHosts } from './private-targets.ts';
import { listening, type Listening } from '../support/listening.ts';

const http = (listener: RequestListener): Promise<Listening> => listening(createHttpServer(listener));

/** A peer that answers raw bytes to whatever it is sent. */
const raw = (answer: string | undefined): Promise<Listening> =>
  listening(
    createServer((socket) => {
      socket.on('data', () => {
        if (answer !== undefined) socket.end(answer);
      });
    }),
  );

const never: Resolve = () => Promise.reject(new Error('must not be asked'));
interface Options {
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
  readonly keepBytes?: number;
}
const send = (
  url: string,
  { resolve = never, timeoutMs = 10_000, ...keep }: Options = {},
): Promise<SendOutcome> =>
  webhookSender({ resolve, privateTargets: 'loopback', timeoutMs, ...keep })({
    url,
    headers: { 'webhook-id': 'm1', 'content-type': 'application/json' },
    body: '{"a":"é"}',
  });

describe('a webhook call', () => {
  it('carries the headers and the body', async () => {
    const seen: unknown[] = [];
    await using peer = await http((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { host, 'webhook-id': id, 'content-length': length } = request.headers;
        seen.push(request.method, request.url, host, id, length, Buffer.concat(chunks).toString());
        response.writeHead(200).end('thanks');
      });
    });
    expect(await send(`http://127.0.0.1:${peer.port}/hook?x=1`)).toMatchObject({
      kind: 'answered',
      status: 200,
    });
    expect(seen).toEqual(['POST', '/hook?x=1', `127.0.0.1:${peer.port}`, 'm1', '10', '{"a":"é"}']);
  });

  it('goes to the address that was checked, under the name of the address', async () => {
    const hosts: unknown[] = [];
    await using peer = await http((request, response) => {
      hosts.push(request.headers.host);
      response.writeHead(204).end();
    });
    let asked = 0;
    const resolve: Resolve = () => {
      asked += 1;
      return Promise.resolve(['127.0.0.1']);
    };
    const outcome = await send(`http://hooks.localhost:${peer.port}/`, { resolve });
    expect(outcome).toMatchObject({ status: 204 });
    expect([asked, hosts]).toEqual([1, [`hooks.localhost:${peer.port}`]]);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    await using target = await http((_, response) => response.end());
    await using peer = await http((_, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${target.port}/` }).end();
    });
    expect(await send(`http://127.0.0.1:${peer.port}/`)).toMatchObject({ kind: 'answered', status });
    expect(target.sockets.length).toBe(0);
  });

  it('reads of an endless answer no more than a little', async () => {
    let written = 0;
    await using peer = await http((_, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(65_536);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', more);
      more();
    });
    expect(await send(`http://127.0.0.1:${peer.port}/`)).toMatchObject({ kind: 'answered', status: 200 });
    expect(written).toBeLessThan(20_000_000);
  });

  it('waits for a slow answer no longer than its time', async () => {
    await using peer = await http(() => undefined);
    const started = performance.now();
    const outcome = await send(`http://127.0.0.1:${peer.port}/`, { timeoutMs: 300 });
    expect(outcome).toEqual({ kind: 'failed', failure: 'late', reason: 'no answer in time' });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('takes the status of an answer whose body never ends', async () => {
    await using peer = await http((_, response) => {
      response.writeHead(200).write('x');
    });
    expect(await send(`http://127.0.0.1:${peer.port}/`)).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('waits for a slow resolver no longer than its time', async () => {
    const resolve: Resolve = () => new Promise(() => undefined);
    const outcome = await send('https://hooks.example.com/', { resolve, timeoutMs: 200 });
    expect(outcome).toEqual({ kind: 'failed', failure: 'unreachable', reason: 'no answer in time' });
  });

  it.each([
    ['nothing and hangs up', ''],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['headers of a megabyte', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`],
    ['a broken status', 'HTTP/1.1 abc\r\n\r\n'],
  ])('fails when the peer answers %s', async (_, answer) => {
    await using peer = await raw(answer);
    expect(await send(`http://127.0.0.1:${peer.port}/`)).toMatchObject({ kind: 'failed' });
  });

  it('fails for a closed port and for an unknown name', async () => {
    const peer = await raw(undefined);
    await peer[Symbol.asyncDispose]();
    expect(await send(`http://127.0.0.1:${peer.port}/`)).toEqual({
      kind: 'failed',
      failure: 'unreachable',
      reason: 'connection failed: ECONNREFUSED',
    });
    const unknown = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    expect(await send('https://nobody.example/', { resolve: unknown })).toEqual({
      kind: 'failed',
      failure: 'unreachable',
      reason: 'connection failed: ENOTFOUND',
    });
    expect(await send('https://nobody.example/', { resolve: () => Promise.resolve([]) })).toMatchObject({
      kind: 'failed',
      failure: 'unreachable',
    });
  });

  it('tries the next address of a name when the first does not answer', async () => {
    await using peer = await http((_, response) => response.writeHead(200).end());
    const resolve = () => Promise.resolve(['::1', '127.0.0.1']);
    expect(await send(`http://hooks.localhost:${peer.port}/`, { resolve })).toMatchObject({ status: 200 });
  });
});

describe('an answer that is kept', () => {
  const answering = (body: Buffer | string) => http((_, response) => response.writeHead(200).end(body));

  it('comes whole, up to its limit', async () => {
    const body = Buffer.alloc(100_000, 'é');
    await using peer = await answering(body);
    const url = `http://127.0.0.1:${peer.port}/`;
    expect(await send(url, { keepBytes: 100_000 })).toEqual({
      kind: 'answered',
      status: 200,
      retryAfter: undefined,
      body,
    });
    expect(await send(url, { keepBytes: 99_999 })).toEqual({
      kind: 'answered',
      status: 200,
      retryAfter: undefined,
    });
    expect(await send(url)).not.toHaveProperty('body');
  });

  it('may be empty', async () => {
    await using peer = await answering('');
    expect(await send(`http://127.0.0.1:${peer.port}/`, { keepBytes: 10 })).toMatchObject({
      status: 200,
      body: Buffer.alloc(0),
    });
  });

  it('is waited for no longer than the time of the call', async () => {
    await using peer = await http((_, response) => {
      response.writeHead(200).write('{"values":');
    });
    const url = `http://127.0.0.1:${peer.port}/`;
    expect(await send(url, { keepBytes: 1_000, timeoutMs: 300 })).toEqual({
      kind: 'failed',
      failure: 'late',
      reason: 'no answer in time',
    });
  });

  it('is not taken when it breaks off', async () => {
    await using peer = await raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"values":[]}');
    expect(await send(`http://127.0.0.1:${peer.port}/`, { keepBytes: 1_000 })).toMatchObject({
      kind: 'failed',
    });
  });
});

describe('private targets', () => {
  const strict = (url: string, resolve: Resolve): Promise<SendOutcome> =>
    webhookSender({ resolve, privateTargets: 'none', timeoutMs: 2_000 })({ url, headers: {}, body: '{}' });
  const bare = (host: string): string => host.replace(/^\[|\]$/g, '');

  it('are not connected to, however they are spelled', async () => {
    await using peer = await raw('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    const asLocal: Resolve = () => Promise.resolve(['127.0.0.1']);
    for (const host of [...loopbackHosts, ...privateHosts])
      for (const scheme of ['http', 'https'])
        expect([host, await strict(`${scheme}://${host}:${peer.port}/`, asLocal)]).toEqual([
          host,
          { kind: 'refused' },
        ]);
    expect(loopbackHosts.length + privateHosts.length).toBeGreaterThanOrEqual(60);
    expect(peer.sockets.length).toBe(0);
  });

  it('are not connected to when a public name leads there, among public addresses too', async () => {
    await using peer = await raw('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    for (const host of privateHosts.filter((one) => /^[\d.]{7,}$|:/.test(one))) {
      const url = `https://hooks.example.com:${peer.port}/`;
      for (const addresses of [[bare(host)], ['93.184.216.34', bare(host)], [bare(host), '93.184.216.34']])
        expect([host, await strict(url, () => Promise.resolve(addresses))]).toEqual([
          host,
          { kind: 'refused' },
        ]);
    }
    expect(await strict(`https://x.test:${peer.port}/`, () => Promise.resolve(['127.0.0.1']))).toEqual({
      kind: 'refused',
    });
    expect(peer.sockets.length).toBe(0);
  });
});
