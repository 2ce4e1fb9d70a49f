/** What the client needs from its surroundings. Tests pass their own. */
import { setTimeout as wait } from 'node:timers/promises';

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

export const systemPorts: Ports = {
  fetch: (input, init) => fetch(input, init),
  sleep: async (ms, signal) => {
    try {
      await wait(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      // The timer of Node throws an AbortError in place of the caller's reason.
      signal?.throwIfAborted();
      throw error;
    }
  },
  random: Math.random,
  newKey: () => crypto.randomUUID(),
  now: Date.now,
};
