/** Sends a request, and sends it again after a failure that may pass. */
import type { Ports } from './ports.ts';
import { problemOf, TidemarkConnectionError, TidemarkProblem } from './problem.ts';

/** A request that can be sent several times. */
export interface Sending {
  readonly method: string;
  readonly url: URL;
  /** The path for messages, without secrets. */
  readonly shown: string;
  readonly headers: Headers;
  readonly body: string | Blob | undefined;
  /** Whether a second request has no further effect, so that it may follow a request without an answer. */
  readonly repeatable: boolean;
  /** The time in milliseconds after which a second request could act twice after all. */
  readonly repeatableUntil?: number;
  readonly signal: AbortSignal | undefined;
  /** Is called before another attempt when the service may have done the work of an attempt that failed. */
  readonly onUncertain?: (() => void) | undefined;
}

/** The rules of retries and timeouts. */
export interface Patience {
  /** Further attempts after the first. */
  readonly retries: number;
  /** Longest wait before another attempt, in milliseconds. A longer `Retry-After` throws the problem at once. */
  readonly longestWaitMs: number;
  /** Time for the headers of one answer, in milliseconds. The service answers within 30 seconds. */
  readonly timeoutMs: number;
}

export const usualPatience: Patience = { retries: 4, longestWaitMs: 30_000, timeoutMs: 60_000 };

/** The first wait is at most so long; each further wait is at most twice the last. */
const FIRST_WAIT_MS = 500;

/** The service did not do the work. */
const NOT_DONE = new Set([429]);

/** The service or a gateway before it may have done the work. */
const PASSING = new Set([502, 503, 504]);

/**
 * Sends a request until it succeeds, and reads the answer with `read`. Throws `TidemarkProblem` for an unsuccessful
 * answer and `TidemarkConnectionError` without an answer; throws the signal's reason when the caller aborts.
 */
export const sendWithRetries = async <T>(
  { ports, patience }: { readonly ports: Ports; readonly patience: Patience },
  sending: Sending,
  read: (response: Response) => Promise<T>,
): Promise<T> => {
  /** Whether the service may have done the work of an earlier attempt. */
  let uncertain = false;
  for (let attempt = 0; ; attempt += 1) {
    sending.signal?.throwIfAborted();
    try {
      return await sendOnce(ports, patience, sending, read);
    } catch (error) {
      sending.signal?.throwIfAborted();
      uncertain ||= mayBeDone(error);
      const mayRepeat = (): boolean => !uncertain || isRepeatable(sending, ports.now());
      const wait = waitAfter(error);
      if (attempt >= patience.retries || wait === undefined || wait > patience.longestWaitMs || !mayRepeat())
        throw error;
      if (mayBeDone(error)) sending.onUncertain?.();
      // The jitter is added, so that clients with the same Retry-After do not come back together.
      const backoff = Math.min(patience.longestWaitMs, ports.random() * FIRST_WAIT_MS * 2 ** attempt);
      await ports.sleep(wait + backoff, sending.signal);
      // A laptop may have slept through the wait, for days.
      if (!mayRepeat()) throw error;
    }
  }
};

const isRepeatable = ({ repeatable, repeatableUntil = Infinity }: Sending, now: number): boolean =>
  repeatable && now < repeatableUntil;

/** Milliseconds that the service wants before the next attempt; `undefined` for a failure that does not pass. */
const waitAfter = (error: unknown): number | undefined => {
  if (error instanceof TidemarkConnectionError) return 0;
  if (!(error instanceof TidemarkProblem)) return undefined;
  const { status, code, retryAfter } = error;
  const passes = NOT_DONE.has(status) || PASSING.has(status) || code === 'idempotency_in_progress';
  return passes ? (retryAfter ?? 0) * 1000 : undefined;
};

/** Whether the service may be reached again later: no answer came, or a gateway could not get one. */
export const isOutage = (error: unknown): boolean =>
  error instanceof TidemarkConnectionError || (error instanceof TidemarkProblem && PASSING.has(error.status));

/** Whether the service may have done the work of a failed attempt. */
export const mayBeDone = (error: unknown): boolean =>
  error instanceof TidemarkProblem ? !NOT_DONE.has(error.status) : !isRefused(error);

/** Whether nothing listened at the address, so that the request never left. `fetch` wraps the error of the socket. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'ECONNREFUSED') || isRefused(error.cause));

const sendOnce = async <T>(
  ports: Ports,
  { timeoutMs }: Patience,
  sending: Sending,
  read: (response: Response) => Promise<T>,
): Promise<T> => {
  const request = { method: sending.method, path: sending.shown };
  let response: Response;
  try {
    response = await answerOf(ports, timeoutMs, sending);
    if (response.ok) return await read(response);
  } catch (error) {
    throw new TidemarkConnectionError(request, error);
  }
  const body = await errorText(response).catch(() => '');
  throw problemOf(request, response, body, ports.now());
};

/** The service's problems are small. A page of a proxy may be of any size, and may never end. */
const MOST_ERROR_TEXT = 1_000_000;

/** The text of an unsuccessful answer; empty if the answer is too large for a problem. */
const errorText = async ({ body }: Response): Promise<string> => {
  if (!body) return '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const bytes: unknown = next.value;
    if (bytes instanceof Uint8Array) text += decoder.decode(bytes, { stream: true });
    if (text.length > MOST_ERROR_TEXT) {
      await reader.cancel();
      return '';
    }
  }
  return text;
};

/** The answer of one request. The time limit covers the headers only: a body may be a large file. */
const answerOf = async ({ fetch }: Ports, timeoutMs: number, sending: Sending): Promise<Response> => {
  const { method, url, headers, body, signal } = sending;
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new Error(`The service did not answer within ${timeoutMs / 1000} seconds.`));
  }, timeoutMs);
  const ends = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  try {
    const init = { method, headers, signal: ends, redirect: 'manual' } as const;
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    const location =
      response.status === 303 || response.status === 302 ? response.headers.get('location') : null;
    if (location === null) return response;
    // The connection of an answer that nobody reads would stay open.
    await response.body?.cancel();
    // Another server gets neither the token nor another header of the request.
    return await fetch(new URL(location, url), { signal: ends });
  } finally {
    clearTimeout(timer);
  }
};
