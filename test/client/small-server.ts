import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Tidemark, type TidemarkOptions, type Access } from '../../client/src/index.ts';
import { listening } from '../support/listening.ts';

/** A request that the server received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An answer: `'break'` breaks the connection before an answer, `'truncate'` in the middle of one. */
export type Reply =
  | 'break'
  | 'truncate'
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown };

/** A server on loopback that answers by a rule and keeps its requests. */
export interface SmallServer extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
}

/** Starts a server. `rule` gets each request, and the number of the requests before it. */
export const startServer = async (
  rule: (request: Received, before: number, url: string) => Reply,
): Promise<SmallServer> => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => {
        const { method = '', url = '', headers } = request;
        const one = { method, url, headers, body };
        received.push(one);
        const reply = rule(one, received.length - 1, at.url);
        if (reply === 'break') {
          request.socket.destroy();
        } else if (reply === 'truncate') {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
          response.write('{', () => request.socket.destroy());
        } else {
          const json = reply.body === undefined ? '' : JSON.stringify(reply.body);
          response.writeHead(reply.status ?? 200, reply.headers).end(json);
        }
      },
      // The client broke the request off.
      () => undefined,
    );
  });
  const at = await listening(server);
  return {
    url: at.url,
    received,
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
};

/** A client of a small server, with a token. It keeps its waits and does not wait. */
export const clientOf = (
  { url }: SmallServer,
  options: Partial<TidemarkOptions> & Access = {},
): { readonly tidemark: Tidemark; readonly waits: readonly number[] } => {
  const waits: number[] = [];
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    waits.push(ms);
    return Promise.resolve();
  };
  const ports = { sleep, random: () => 0.5, ...options.ports };
  return {
    tidemark: new Tidemark({ baseUrl: url, propertyId: 7, token: 'given', ...options, ports }),
    waits,
  };
};
