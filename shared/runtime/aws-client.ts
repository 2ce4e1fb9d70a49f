/**
 * What every AWS client is built with. Retries live in this one layer (the SDK's standard mode: jitter and a token
 * budget); callers repeat only what an answer reports as unprocessed. Region, credentials and endpoint come from the
 * environment, as Lambda sets it.
 */
export const clientOptions = {
  retryMode: 'standard',
  maxAttempts: 5,
  // Connections are kept alive by the SDK. A call that hangs is given up and retried well within a route's 29 s.
  requestHandler: {
    connectionTimeout: 2_000,
    requestTimeout: 10_000,
    throwOnRequestTimeout: true,
    httpAgent: { keepAlive: true, maxSockets: 128 },
    httpsAgent: { keepAlive: true, maxSockets: 128 },
  },
} as const;
