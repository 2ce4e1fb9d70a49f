/**
 * Tapes of AWS calls: a recorder between the functions and the embedded cloud keeps each call with its answer, and a
 * player gives the same answers at once. A cold start can then be repeated, and no work of the cloud is in its time.
 */
import { hash } from 'node:crypto';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { HttpRequest } from '@smithy/core/protocols';
import * as v from 'valibot';
import { listenHttp } from '../../local/core/loopback.ts';
import type { ObservedCall } from '../../local/gateway/pipeline.ts';
import { signerOf } from '../../shared/runtime/signed-service.ts';

/** A call with its answer. */
export interface TapedCall {
  readonly action: string;
  readonly body: Buffer;
  readonly answer: {
    readonly status: number;
    readonly headers: NodeJS.Dict<string[] | string>;
    readonly body: Buffer;
  };
}

/** The kind of a call, without values: the operation of a JSON protocol, or the method and the kind of address. */
const actionOf = ({ method = '', url = '/', headers }: IncomingMessage): string => {
  const target = headers['x-amz-target'];
  if (typeof target === 'string') return target;
  const { pathname, searchParams } = new URL(url, 'http://aws');
  return `${method} ${pathname.split('/').length} ${[...searchParams.keys()].toSorted().join('&')}`;
};

/** The access key in the signature of a call; undefined for presigned calls, which come from clients. */
const callerOf = ({ headers }: IncomingMessage): string | undefined =>
  /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1];

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A server on loopback. It ends with its open connections. */
const listen = async (serve: Serve): Promise<{ readonly url: string } & AsyncDisposable> => {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listenHttp(server);
  return { url, [Symbol.asyncDispose]: close };
};

/** Headers without the headers of a connection. */
const without = (headers: TapedCall['answer']['headers'], names: readonly string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

/**
 * A request as its caller would have sent it to the cloud. The signature covers the address, so it is made anew; that of a
 * presigned address goes into the headers.
 */
const readdressed = async (request: IncomingMessage, to: URL, secrets: ReadonlyMap<string, string>) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', to);
  const credential =
    searchParams.get('X-Amz-Credential') ??
    /Credential=([^,]+)/.exec(request.headers.authorization ?? '')?.[1];
  const [accessKeyId = '', , region = '', service = ''] = credential?.split('/') ?? [];
  const query = Object.fromEntries([...searchParams].filter(([name]) => !name.startsWith('X-Amz-')));
  const headers = v.parse(
    v.record(v.string(), v.string()),
    without(request.headers, ['authorization', 'connection', 'expect', 'host']),
  );
  const credentials = { accessKeyId, secretAccessKey: secrets.get(accessKeyId) ?? '' };
  const signed = await signerOf(service, region, credentials).sign(
    new HttpRequest({
      ...{ protocol: to.protocol, hostname: to.hostname, port: Number(to.port), path: pathname, query },
      method: request.method ?? 'GET',
      headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers, host: to.host },
    }),
  );
  const asked = new URLSearchParams(query).toString();
  return { path: asked === '' ? pathname : `${pathname}?${asked}`, headers: signed.headers };
};

/** Passes a request on. */
const forward = async (
  request: IncomingMessage,
  body: Buffer,
  cloud: Pick<Recorder, 'to' | 'secrets'>,
): Promise<TapedCall['answer']> => {
  const to = new URL(cloud.to);
  const { path, headers } = await readdressed(request, to, cloud.secrets);
  return new Promise((resolve, reject) => {
    const { method } = request;
    const { hostname, port } = to;
    const passed = send({ hostname, port, method, path, headers }, (answer) => {
      buffer(answer).then(
        (read) => resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: read }),
        reject,
      );
    });
    passed.on('error', reject);
    passed.end(body);
  });
};

const give = (response: ServerResponse, { status, headers, body }: TapedCall['answer']): void => {
  response.writeHead(status, without(headers, ['transfer-encoding', 'connection']));
  response.end(body);
};

/** Records the calls of functions on their way to the cloud. */
export interface Recorder extends AsyncDisposable {
  readonly url: string;
  /** Address to which the calls go. */
  to: string;
  /** The secrets of the callers, by access key. */
  secrets: ReadonlyMap<string, string>;
  /** The calls of an access key since the last question. */
  take(accessKey: string): readonly TapedCall[];
}

/** Opens a recorder. */
export const openRecorder = async (): Promise<Recorder> => {
  const calls = new Map<string, TapedCall[]>();
  const server = await listen(async (request, response) => {
    const body = await buffer(request);
    const answer = await forward(request, body, recorder);
    const caller = callerOf(request);
    if (caller !== undefined) {
      const known = calls.get(caller) ?? [];
      known.push({ action: actionOf(request), body, answer });
      calls.set(caller, known);
    }
    give(response, answer);
  });
  const recorder: Recorder = {
    url: server.url,
    to: '',
    secrets: new Map(),
    take: (accessKey) => {
      const taken = calls.get(accessKey) ?? [];
      calls.delete(accessKey);
      return taken;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return recorder;
};

/** Opens a player. */
export const openPlayer = async () => {
  let left: TapedCall[] = [];
  let whole: readonly TapedCall[] = [];
  let waitMs = 0;
  let seen: ObservedCall[] = [];
  const next = (action: string, body: Buffer): TapedCall | undefined => {
    const alike = left.filter((call) => call.action === action);
    const found = alike.find((call) => call.body.equals(body)) ?? alike[0];
    left = left.filter((call) => call !== found);
    return found ?? whole.findLast((call) => call.action === action);
  };
  const server = await listen(async (request, response) => {
    const began = performance.now();
    const body = await buffer(request);
    const action = actionOf(request);
    const call = next(action, body);
    if (!call) throw new Error(`the tape has no ${action}`);
    if (waitMs > 0) await delay(waitMs);
    seen.push({ caller: '', action, began, ended: performance.now() });
    give(response, digested(action, body, call.answer));
  });
  return {
    url: server.url,
    /** Plays a tape from its begin. Each answer takes `milliseconds`. */
    load: (tape: readonly TapedCall[], milliseconds = 0) => {
      whole = tape;
      left = [...tape];
      waitMs = milliseconds;
      seen = [];
    },
    /** The calls since the tape was loaded. */
    played: (): readonly ObservedCall[] => seen,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

/** Plays a tape at a time. */
export type Player = Awaited<ReturnType<typeof openPlayer>>;

const sent = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    MessageBody: v.optional(v.string(), ''),
    Entries: v.optional(v.array(v.object({ Id: v.string(), MessageBody: v.string() })), []),
  }),
);

/** SQS answers a message with its digest, which the SDK compares. */
const digested = (action: string, body: Buffer, answer: TapedCall['answer']): TapedCall['answer'] => {
  if (!action.startsWith('AmazonSQS.SendMessage')) return answer;
  const { MessageBody, Entries } = v.parse(sent, body.toString());
  const digestOf = (text: string) => ({ MessageId: '1', MD5OfMessageBody: hash('md5', text) });
  const Successful = Entries.map((entry) => ({ Id: entry.Id, ...digestOf(entry.MessageBody) }));
  const text = JSON.stringify({ ...digestOf(MessageBody), Successful, Failed: [] });
  return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: Buffer.from(text) };
};
