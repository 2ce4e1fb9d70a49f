/**
 * Signed services: sends requests to an AWS service with the signer, the HTTP handler and the retries of the AWS SDK, but
 * without its clients (docs/adr/0017).
 */
import { createHash, createHmac, createSecretKey, type Hash, type KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpRequest } from '@smithy/core/protocols';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { SignatureV4 } from '@smithy/signature-v4';
import { MAX_ATTEMPTS, timedHandler } from './aws-client.ts';
import {
  addressOf,
  credentialsFromEnv,
  regionFromEnv,
  traceFromEnv,
  type RoleCredentials,
  type ServiceNames,
} from './aws-environment.ts';
import { type AnswerMetadata, errorTypeOf, type ErrorType } from './aws-errors.ts';

/** The permission to make one attempt. */
interface RetryToken {
  getRetryCount(): number;
  getRetryDelay(): number;
}

/** The part of a retry strategy of the SDK that calls use. */
interface Retries {
  acquireInitialRetryToken(scope: string): Promise<RetryToken>;
  refreshRetryTokenForRetry(
    last: RetryToken,
    failure: { readonly errorType: ErrorType },
  ): Promise<RetryToken>;
  recordSuccess(token: RetryToken): void;
}

/** Signs a request. */
interface Signer {
  sign(request: HttpRequest): Promise<ConstructorParameters<typeof HttpRequest>[0]>;
}

/** The answer to one attempt. */
export interface ServiceAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes, or a stream of bytes. */
  readonly body?: unknown;
}

/** What an error says of the answer that it comes from. `attempts` counts this answer. */
export const metadataOf = ({ statusCode, headers }: ServiceAnswer, attempts: number): AnswerMetadata => ({
  httpStatusCode: statusCode,
  attempts,
  requestId: headers['x-amzn-requestid'],
});

/** Sends a signed request. The HTTP handler of the SDK is one. */
interface Handler {
  handle(request: HttpRequest): Promise<{ readonly response: ServiceAnswer }>;
  destroy?(): void;
}

/** Options of a service. Those of the environment are the defaults, as Lambda sets it. */
export interface ServiceOptions {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: RoleCredentials;
  readonly maxAttempts?: number;
  readonly retries?: Retries;
  readonly signer?: Signer;
  readonly handler?: Handler;
}

/** A request, without the part that the service adds. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Encoded path; `/` where the service has only one. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** A service to which requests are sent. */
export interface SignedService {
  /**
   * Sends a request, and again when an attempt was throttled or failed for a while: an earlier attempt may have been
   * carried out, and its answer lost. `read` reads the answer to an attempt (from 1), and throws `AwsServiceError` when the
   * answer is a refusal. Retries live in this layer only. No attempt is sent after the deadline of the running work.
   */
  send<T>(
    request: ServiceRequest,
    read: (answer: ServiceAnswer, attempt: number) => T | Promise<T>,
  ): Promise<T>;
  /** Closes kept connections. */
  destroy(): void;
}

/** The service of these names, where the environment has it, or where the options say. */
export const signedService = (names: ServiceNames, options: ServiceOptions = {}): SignedService => {
  const { maxAttempts = MAX_ATTEMPTS, handler = timedHandler() } = options;
  const retries: Retries = options.retries ?? new StandardRetryStrategy(maxAttempts);
  let place: ReturnType<typeof placeOf> | undefined;
  const attempt = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    const { endpoint, signer } = await (place ??= placeOf(names, options));
    const signed = await signer.sign(httpRequest(endpoint, traced(request)));
    return (await handler.handle(new HttpRequest(signed))).response;
  };
  return {
    send: async (request, read) => {
      let token = await retries.acquireInitialRetryToken(names.name);
      for (;;) {
        try {
          const answer = await read(await attempt(request), token.getRetryCount() + 1);
          retries.recordSuccess(token);
          return answer;
        } catch (error) {
          token = await renewed(retries, token, error);
        }
      }
    },
    destroy: () => handler.destroy?.(),
  };
};

/** Where the calls go, and what signs them. */
const placeOf = async (names: ServiceNames, options: ServiceOptions) => {
  const region = options.region ?? (await regionFromEnv());
  const { endpoint = addressOf(names, region), credentials } = options;
  const signer = options.signer ?? signerOf(names.name, region, credentials ?? (await credentialsFromEnv()));
  return { endpoint: new URL(endpoint), signer };
};

/** A request to an address, not signed yet. */
export const httpRequest = (
  { protocol, hostname, port, host }: URL,
  { headers, query = {}, ...request }: ServiceRequest,
): HttpRequest =>
  new HttpRequest({
    ...request,
    query: { ...query },
    protocol,
    hostname,
    ...(port === '' ? {} : { port: Number(port) }),
    headers: { ...headers, host, 'user-agent': 'tidemark' },
  });

/** A request with the trace of the running invocation. The signer leaves the trace out of the signature. */
const traced = (request: ServiceRequest): ServiceRequest => {
  const trace = traceFromEnv();
  return trace === undefined
    ? request
    : { ...request, headers: { ...request.headers, 'x-amzn-trace-id': trace } };
};

/** Waits for the next attempt. Throws the error again when there is none. */
const renewed = async (retries: Retries, token: RetryToken, error: unknown): Promise<RetryToken> => {
  const errorType = errorTypeOf(error);
  const next = await retries.refreshRetryTokenForRetry(token, { errorType }).catch(() => undefined);
  if (next === undefined) throw error;
  const delay = next.getRetryDelay();
  if (delay > 0) await sleep(delay);
  return next;
};

/** The data that the signer gives to a hash. */
type Data = string | ArrayBuffer | ArrayBufferView;

const bytesOf = (data: Exclude<Data, string>): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

/** The signer keeps the key of a day. Node takes 10 µs to make a key of bytes ready, and 3 µs for the HMAC itself. */
const keys = new WeakMap<object, KeyObject>();

const keyOf = (secret: Data): string | KeyObject => {
  if (typeof secret === 'string') return secret;
  const known = keys.get(secret);
  if (known) return known;
  const made = createSecretKey(bytesOf(secret));
  keys.set(secret, made);
  return made;
};

type Digest = Pick<Hash, 'digest'> & { update(data: string | Uint8Array): unknown };

/** SHA-256 of Node, as the signer wants it: a hash, or an HMAC with a secret. */
class Sha256 {
  readonly #secret: Data | undefined;
  #hash: Digest;

  constructor(secret?: Data) {
    this.#secret = secret;
    this.#hash = this.#begin();
  }

  update(data: Data): void {
    this.#hash.update(typeof data === 'string' ? data : bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    this.#hash = this.#begin();
  }

  #begin(): Digest {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(this.#secret));
  }
}

/**
 * The signer of the calls to one service in one region: that of the SDK (Signature Version 4), with a hash of Node that
 * keeps the keys of its HMACs. S3 alone signs paths as they are, and the hash of each body.
 */
export const signerOf = (
  service: string,
  region: string,
  credentials: RoleCredentials,
): Pick<SignatureV4, 'presign' | 'sign'> =>
  new SignatureV4({
    service,
    region,
    credentials,
    sha256: Sha256,
    uriEscapePath: service !== 's3',
    applyChecksum: service === 's3',
  });
