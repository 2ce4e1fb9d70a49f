import { NodeHttpHandler } from '@smithy/node-http-handler';
import { callInTime } from './deadline.ts';

/** Attempts of one call. */
export const MAX_ATTEMPTS = 5;
/** An attempt that hangs is given up after this, and retried well within a route's 29 s. */
export const ATTEMPT_MS = 10_000;

/** The SDK's HTTP, with every attempt of a call inside the deadline of the work that it is for. */
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
 * What every AWS client is built with. Retries live in this one layer (the SDK's standard mode: jitter and a token
 * budget); callers repeat only what an answer reports as unprocessed. Region, credentials and endpoint come from the
 * environment, as Lambda sets it. No attempt is sent after the deadline of the work that it is for.
 */
export const clientOptions = () =>
  ({
    retryMode: 'standard',
    maxAttempts: MAX_ATTEMPTS,
    // Connections are kept alive by the SDK.
    requestHandler: new TimedHttpHandler({
      connectionTimeout: 2_000,
      requestTimeout: ATTEMPT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: 128 },
      httpsAgent: { keepAlive: true, maxSockets: 128 },
    }),
  }) as const;
