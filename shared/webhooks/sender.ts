import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { PrivateTargets } from './addresses.ts';
import { dispose, keep } from './answer-body.ts';
import { callInTime } from '../runtime/deadline.ts';
import { checkedAddresses, type Resolve } from './checked-addresses.ts';
import { hostOf } from './url.ts';

/** What came of one call. `refused`: the target may not be called; `failed`: nobody answered properly. */
export type SendOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The answer's body, for a sender that keeps it; absent when it was larger than that. */
      readonly body?: Buffer;
    }
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'failed';
      /** What may be told to the client who named the address: not enough to explore a network by. */
      readonly failure: SendFailure;
      /** What exactly failed, for our own logs. */
      readonly reason: string;
    };

/** `unreachable`: no connection, for whatever reason; `certificate`: TLS answered, not by this name; `late`: connected, no answer. */
export type SendFailure = 'unreachable' | 'certificate' | 'late';

/** A call to make: signed headers and a JSON body. */
export interface WebhookCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Calls a webhook once. Never throws for what the other side does. */
export type WebhookSender = (call: WebhookCall) => Promise<SendOutcome>;

/** Addresses from the system's resolver. */
export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

interface SenderDeps {
  readonly resolve: Resolve;
  readonly privateTargets: PrivateTargets;
  readonly timeoutMs: number;
  /** Bytes that an answer's body may have to be kept; none is when absent. */
  readonly keepBytes?: number;
}

const HEADER_BYTES = 16_384;

/**
 * A sender that only connects to addresses it has checked: the name is resolved once, every address must be allowed, and
 * the connection goes to those very addresses. Redirects are not followed. The time counts from resolving to the answer's
 * status, and to its end where the body is kept.
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

/** Codes of the network and of TLS say enough, and hold nothing of the other side's words. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? `connection failed: ${error.code}`
    : 'connection failed';
