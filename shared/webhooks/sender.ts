/** Webhook sender: makes one HTTPS call to the address of a client, protected against server-side request forgery. */
import { lookup } from 'node:dns/promises';
import {
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { PrivateTargets } from './addresses.ts';
import { dispose, keep } from './answer-body.ts';
import { callInTime } from '../runtime/deadline.ts';
import { checkedAddresses, type Resolve } from './checked-addresses.ts';
import { hostOf } from './url.ts';

/** The outcome of one call. `refused`: the target is not allowed; `failed`: no valid answer came. */
export type SendOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The body of the answer, for a sender with `keepBytes`; absent when the body was larger. */
      readonly body?: Buffer;
    }
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'failed';
      /** The failure that the client may see. It does not help to explore a network. */
      readonly failure: SendFailure;
      /** The exact failure, for the logs of the service. */
      readonly reason: string;
    };

/**
 * `unreachable`: no connection, for any reason; `certificate`: the TLS certificate is not valid for the name; `late`:
 * connected, but no answer came in time.
 */
export type SendFailure = 'unreachable' | 'certificate' | 'late';

/** A call: signed headers and a JSON body. */
export interface WebhookCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Calls a webhook once. A failure of the receiver is an outcome, not an exception. */
export type WebhookSender = (call: WebhookCall) => Promise<SendOutcome>;

/** Resolves names with the resolver of the system. */
export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

interface SenderDeps {
  readonly resolve: Resolve;
  readonly privateTargets: PrivateTargets;
  readonly timeoutMs: number;
  /** Largest body of an answer that the sender keeps; without it, bodies are discarded. */
  readonly keepBytes?: number;
}

const HEADER_BYTES = 16_384;

/**
 * A sender that connects only to checked addresses: it resolves the name once, every address must be allowed, and the
 * connection goes to one of these addresses. It does not follow redirects. The time limit covers name resolution, the
 * call and the status of the answer, and also the body if the sender keeps it.
 */
export const webhookSender =
  ({ resolve, privateTargets, timeoutMs, keepBytes }: SenderDeps): WebhookSender =>
  (call) =>
    callInTime(async (closed) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      const deadline = closed ? AbortSignal.any([timeout, closed]) : timeout;
      let connected = false;
      try {
        const url = new URL(call.url);
        const secure = url.protocol === 'https:';
        const checking = checkedAddresses(hostOf(url), { resolve, privateTargets, secure });
        const addresses = await inTime(checking, deadline);
        if (addresses === 'none')
          return { kind: 'failed', failure: 'unreachable', reason: 'the name has no address' };
        if (addresses === 'refused') return { kind: 'refused' };
        const response = await post(url, addresses, call, {
          deadline,
          onConnect: () => (connected = true),
        });
        const answer = {
          kind: 'answered',
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
        } as const;
        if (keepBytes !== undefined) return { ...answer, ...(await keep(response, keepBytes)) };
        await dispose(response);
        return answer;
      } catch (error) {
        const reason = deadline.aborted ? 'no answer in time' : reasonOf(error);
        return { kind: 'failed', failure: failureOf(error, connected), reason };
      }
    });

const inTime = async <T>(work: Promise<T>, deadline: AbortSignal): Promise<T> => {
  const late = new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => {
      reject(new Error('no answer in time'));
    });
  });
  return Promise.race([work, late]);
};

const post = (
  url: URL,
  addresses: readonly string[],
  { headers, body }: WebhookCall,
  { deadline, onConnect }: { deadline: AbortSignal; onConnect: () => void },
): Promise<IncomingMessage> => {
  const request = open(url, {
    method: 'POST',
    agent: false,
    maxHeaderSize: HEADER_BYTES,
    signal: deadline,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' },
    lookup: (_host, { all }, answer) => {
      const checked = addresses.map((address) => ({ address, family: isIP(address) }));
      if (all === true) answer(null, checked);
      else answer(null, checked[0]?.address ?? '', checked[0]?.family);
    },
  });
  request.on('socket', (socket) =>
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', onConnect),
  );
  return answered(request, body);
};

const open = (url: URL, options: RequestOptions): ClientRequest =>
  url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);

const answered = (request: ClientRequest, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });

const failureOf = (error: unknown, connected: boolean): SendFailure => {
  if (connected) return 'late';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /CERT|ALTNAME|SIGNATURE/.test(code) ? 'certificate' : 'unreachable';
};

/** The error code of the network or of TLS, without any text of the receiver. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? `connection failed: ${error.code}`
    : 'connection failed';
