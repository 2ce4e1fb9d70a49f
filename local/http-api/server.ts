/**
 * HTTP API server: accepts requests with the limits and errors of API Gateway, and invokes the functions of their
 * routes.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isThrottle } from '../services/lambda/concurrency.ts';
import type { Outcome } from '../services/lambda/outcome.ts';
import { ServiceError } from '../core/service-error.ts';
import { listenHttp } from '../core/loopback.ts';
import { MISDIRECTED, namesThisMachine } from '../core/own-host.ts';
import { eventOf } from './event.ts';
import { gatewayAnswer, integrationFailed, responseOf, type HttpResponse } from './response.ts';
import type { Match, Router } from './routes.ts';
import { RequestLimiter } from './request-limiter.ts';

/** Largest request body (API Gateway quota for HTTP APIs: 10 MB). */
const BODY_BYTES = 10 * 1024 * 1024;

/** The server reads and drops this much of a larger body before it refuses the request. */
const DROPPED_BYTES = 64 * 1024 * 1024;

/** Request line and header values together (API Gateway quota for HTTP APIs). */
const HEADER_BYTES = 10_240;
const refusal = gatewayAnswer(413, 'Request Entity Too Large');

/** A part of the body may still arrive after this time. The server would mistake it for the next request. */
const TOO_LARGE: HttpResponse = { ...refusal, headers: [...refusal.headers, ['connection', 'close']] };
const OPTIONS = { maxHeaderSize: HEADER_BYTES, requestTimeout: 60_000, keepAliveTimeout: 60_000 };
const NO_BODY = Buffer.alloc(0);
const UNAVAILABLE = gatewayAnswer(503, 'Service Unavailable');
const tooMany = gatewayAnswer(429, 'Too Many Requests');
const TOO_MANY: HttpResponse = { ...tooMany, headers: [...tooMany.headers, ['retry-after', '5']] };
const NOT_FOUND = gatewayAnswer(404, 'Not Found');
const ELSEWHERE = gatewayAnswer(MISDIRECTED.status, MISDIRECTED.message);

/** A request that a function has answered, as its client sees it. */
export interface Exchange {
  /** Key of the matching route. */
  readonly route: string;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly contentType: string | undefined;
  readonly sent: Buffer;
  readonly answer: HttpResponse;
}

/** The backend that answers the requests, once it exists. */
interface Backend {
  readonly apiId: string;
  readonly router: Router;
  /** Invokes a function. Rejects with Lambda's throttle when no concurrency is left. */
  invoke(functionName: string, event: string): Promise<Outcome>;
  /** Called with each answer of a function, before it goes out. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Called with the status of each answer, also of those that no function gave. */
  readonly onStatus?: ((status: number) => void) | undefined;
}

/** A backend, and the number of its concurrent requests. */
interface Serving extends Backend {
  readonly limiter: RequestLimiter;
}

/**
 * Binds the API to a loopback port (0 picks a free port). Rejects with the system's error when another process uses the
 * port.
 */
export const openHttpApi = async (port: number) => {
  let backend: Serving | undefined;
  const server = createServer(OPTIONS, (incoming, outgoing) => {
    void answer(incoming, backend).then((response) => {
      backend?.onStatus?.(response.status);
      send(outgoing, response);
    });
  });
  server.on('clientError', refuseMalformed);
  return {
    ...(await listenHttp(server, port)),
    /** Starts to answer requests. Before that, every request gets a 503. */
    serve: (given: Backend) => {
      backend = { ...given, limiter: new RequestLimiter() };
    },
  };
};

/** The HTTP API. The server binds its port first, because the stacks need the address at synthesis. */
export type HttpApi = Awaited<ReturnType<typeof openHttpApi>>;

/** Requests that are not valid HTTP never reach a function. */
const refuseMalformed = (error: Error & { code?: string }, socket: Duplex): void => {
  if (!socket.writable) return;
  const large = error.code === 'HPE_HEADER_OVERFLOW';
  const [status, message] = large
    ? ['431 Request Header Fields Too Large', 'Request Header Fields Too Large']
    : ['400 Bad Request', 'Bad Request'];
  const body = JSON.stringify({ message });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
};

const answer = async (incoming: IncomingMessage, backend: Serving | undefined): Promise<HttpResponse> => {
  try {
    if (!backend) return UNAVAILABLE;
    const body = await readBody(incoming);
    if (!namesThisMachine(incoming)) return ELSEWHERE;
    if (!body) return TOO_LARGE;
    const path = (incoming.url ?? '/').split('?', 1)[0] ?? '/';
    const match = backend.router(incoming.method ?? 'GET', path);
    return match ? await integrate(incoming, body, match, backend) : NOT_FOUND;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 413) return TOO_LARGE;
    console.error('The HTTP API failed:', error);
    return integrationFailed;
  }
};

const integrate = async (
  incoming: IncomingMessage,
  body: Buffer,
  match: Match,
  backend: Serving,
): Promise<HttpResponse> => {
  const { functionName, mostAtOnce, permitted } = match.route;
  if (!permitted) return integrationFailed;
  const request = { incoming, body, requestId: randomUUID(), apiId: backend.apiId, now: new Date() };
  const event = eventOf(request, match);
  if (!backend.limiter.enter(functionName, mostAtOnce)) return TOO_MANY;
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), match.route.timeoutMs);
  try {
    const outcome = await Promise.race([invoke(backend, functionName, event), late]);
    if (!outcome) return UNAVAILABLE;
    if (!outcome.ok) return integrationFailed;
    const response = responseOf(outcome.payload);
    backend.onExchange?.({ ...exchangeOf(incoming, body, match), answer: response });
    return response;
  } catch (error) {
    if (isThrottle(error)) return UNAVAILABLE;
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

const exchangeOf = (incoming: IncomingMessage, sent: Buffer, { route }: Match): Omit<Exchange, 'answer'> => ({
  route: route.key,
  method: incoming.method ?? 'GET',
  target: incoming.url ?? '/',
  contentType: incoming.headers['content-type'],
  sent,
});

/** A request counts as running until its function has ended, even when the client has its answer earlier. */
const invoke = async (backend: Serving, functionName: string, event: string): Promise<Outcome> => {
  try {
    return await backend.invoke(functionName, event);
  } finally {
    backend.limiter.leave(functionName);
  }
};

/**
 * The whole body, or undefined when it exceeds API Gateway's limit. The server reads and drops the rest up to a bound,
 * because a client that still sends would not read an answer.
 */
const readBody = async (incoming: IncomingMessage): Promise<Buffer | undefined> => {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = incoming.headers;
  // The end of a request without a body needs no wait.
  if (length === '0' && encoding === undefined) return NO_BODY;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const source: AsyncIterable<Uint8Array> = incoming.iterator({ destroyOnReturn: false });
  for await (const chunk of source) {
    size += chunk.length;
    if (size > DROPPED_BYTES) break;
    if (size <= BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > BODY_BYTES ? undefined : Buffer.concat(chunks);
};

/** API Gateway answers 500 for headers that HTTP does not allow. */
const send = (outgoing: ServerResponse, { status, headers, body }: HttpResponse): void => {
  if (outgoing.destroyed) return;
  try {
    outgoing.statusCode = status;
    outgoing.setHeader('apigw-requestid', randomUUID());
    for (const [name, value] of headers) outgoing.appendHeader(name, value);
  } catch {
    for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
    send(outgoing, integrationFailed);
    return;
  }
  outgoing.setHeader('content-length', body.length);
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body);
};
