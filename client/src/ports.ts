/** What the client needs from its surroundings. Tests pass their own. */

/**
 * The clock, the randomness and the network of a client, which a test may replace.
 * @beta
 */
export interface Ports {
  readonly fetch: typeof fetch;
  /** Waits so many milliseconds, or rejects with the signal's reason when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** A random number from 0 to less than 1. */
  readonly random: () => number;
  /** A new idempotency key. */
  readonly newKey: () => string;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** What an upload and a wait take of a client: they may be of another property, and have a signal of their own. */
export interface WorkOptions {
  readonly propertyId?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Waits as `Ports.sleep` says, with nothing that only Node has: the client runs in browsers, too. */
const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
  signal?.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = (): void => {
    resolve(undefined);
  };
  const timer = setTimeout(end, ms);
  signal?.addEventListener('abort', end, { once: true });
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
  signal?.throwIfAborted();
};

export const systemPorts: Ports = {
  fetch: (input, init) => fetch(input, init),
  sleep,
  random: Math.random,
  newKey: () => crypto.randomUUID(),
  now: Date.now,
};
