import { NodeHttpHandler } from '@smithy/node-http-handler';
import { callInTime } from './deadline.ts';

/** Attempts of one call. */
export const MAX_ATTEMPTS = 5;

/** A hanging attempt is aborted after this time, and retried well within a route's 29 s. */
export const ATTEMPT_MS = 10_000;

/** The SDK's HTTP handler. It keeps every attempt of a call within the deadline of the running work. */
class TimedHttpHandler extends NodeHttpHandler {
  override handle(
    ...[request, options]: Parameters<NodeHttpHandler['handle']>
  ): ReturnType<NodeHttpHandler['handle']> {
    return callInTime((signal) =>
      super.handle(request, signal ? { ...options, abortSignal: signal } : options),
    );
  }
}

/**
 * Options of every AWS client. Retries live in this layer only (the SDK's standard mode: jitter and a token
 * budget); callers repeat only items that an answer reports as unprocessed. Region, credentials and endpoint
 * come from the environment, as Lambda sets it. No attempt is sent after the deadline of the running work.
 */
export const clientOptions = () =>
  ({
    retryMode: 'standard',
    maxAttempts: MAX_ATTEMPTS,
    // The SDK keeps connections alive.
    requestHandler: new TimedHttpHandler({
      connectionTimeout: 2_000,
      requestTimeout: ATTEMPT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: 128 },
      httpsAgent: { keepAlive: true, maxSockets: 128 },
    }),
  }) as const;
