import { NodeHttpHandler } from '@smithy/node-http-handler';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { type AwsService, endpointFromEnv, regionFromEnv } from './aws-environment.ts';
import { errorTypeOf } from './aws-errors.ts';
import { callInTime } from './deadline.ts';

/** Attempts of one call. */
export const MAX_ATTEMPTS = 5;

/**
 * An attempt without an answer is aborted after this time, and so is one whose answer stalls for this time (to which the
 * handler adds 3 s). It is retried well within a route's 29 s.
 */
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

/** The HTTP handler of a client, with its connections, which it keeps. `attemptMs` is for tests. */
export const timedHandler = (attemptMs = ATTEMPT_MS): NodeHttpHandler =>
  new TimedHttpHandler({
    connectionTimeout: 2_000,
    requestTimeout: attemptMs,
    // The time of a request ends at the headers of the answer, and the rest of the answer may stall.
    socketTimeout: attemptMs,
    throwOnRequestTimeout: true,
    httpAgent: { keepAlive: true, maxSockets: 128 },
    httpsAgent: { keepAlive: true, maxSockets: 128 },
  });

/** The address of a service, if the environment names one. */
const endpointOf = (service: AwsService) => {
  const endpoint = endpointFromEnv(service);
  return endpoint === undefined ? { ignoreConfiguredEndpointUrls: true } : { endpoint };
};

/** The SDK's retries, with jitter and a budget of tokens. What passes has one definition, also for its clients. */
class Retries extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(
    ...[token, failure]: Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>
  ): ReturnType<StandardRetryStrategy['refreshRetryTokenForRetry']> {
    return super.refreshRetryTokenForRetry(token, { ...failure, errorType: errorTypeOf(failure.error) });
  }
}

const noPreference: string[] = [];

/**
 * Answers to the questions for which the SDK would search the environment and two files at the first call of each client.
 * They are its own defaults.
 */
const lookedUp = {
  region: regionFromEnv,
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  userAgentAppId: () => Promise.resolve(undefined),
  authSchemePreference: noPreference,
  disableClockSkewCorrection: false,
};

/**
 * Options of every client of the SDK. Retries live in this layer only; callers repeat only items that an answer reports as
 * unprocessed. Region, credentials and endpoint come from the environment, as Lambda sets it. No attempt is sent after the
 * deadline of the running work.
 */
export const clientOptions = (service: AwsService) =>
  ({
    ...lookedUp,
    ...endpointOf(service),
    retryStrategy: new Retries(MAX_ATTEMPTS),
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: timedHandler(),
  }) as const;

/**
 * Options of every S3 client. Path-style addresses (`endpoint/bucket/key`) are valid on every regional S3 endpoint and need
 * no wildcard DNS, so one form serves every stage. The rest are the SDK's defaults, for which it would search, too.
 */
export const s3Options = () =>
  ({
    ...clientOptions('S3'),
    forcePathStyle: true,
    disableS3ExpressSessionAuth: false,
    requestChecksumCalculation: 'WHEN_SUPPORTED',
    responseChecksumValidation: 'WHEN_SUPPORTED',
    sigv4aSigningRegionSet: () => Promise.resolve(undefined),
    useArnRegion: false,
  }) as const;
