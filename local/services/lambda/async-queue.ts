/** Asynchronous invocations: retries the events of a function, as Lambda's event queue does. */
import { isThrottle } from './concurrency.ts';
import { throttledTooLong, type Outcome } from './outcome.ts';

/**
 * The waits of Lambda's event queue, in milliseconds ("How Lambda handles errors and retries with asynchronous
 * invocation", Lambda Developer Guide).
 */
export interface AsyncWaits {
  /** Waits before the second and the third attempt of an event whose function failed. */
  readonly afterErrors: readonly number[];
  /** A throttled event waits this long at first, and twice as long after each further throttle. */
  readonly afterThrottle: number;
  /** The longest wait of a throttled event. */
  readonly longest: number;
  /** Lambda discards an older event. */
  readonly maxAge: number;
}

const MINUTE = 60_000;

/** The waits of AWS. */
export const REAL_WAITS: AsyncWaits = {
  afterErrors: [MINUTE, 2 * MINUTE],
  afterThrottle: 1_000,
  longest: 5 * MINUTE,
  maxAge: 6 * 60 * MINUTE,
};

/** Retries of failed functions without waiting, for developers. */
export const SHORT_WAITS: AsyncWaits = { ...REAL_WAITS, afterErrors: [0, 0] };

/**
 * Invokes a function with an event until it succeeds, fails three times, or becomes too old. `pause` waits for
 * milliseconds, or until the runner ends. Returns the last outcome. Throws what `invoke` throws, except throttles.
 */
export const invokeAsync = async (
  invoke: () => Promise<Outcome>,
  waits: AsyncWaits,
  pause: (ms: number) => Promise<void>,
): Promise<Outcome> => {
  const afterErrors = [...waits.afterErrors];
  let afterThrottle = waits.afterThrottle;
  let age = 0;
  for (;;) {
    const outcome = await unlessThrottled(invoke);
    if (outcome?.ok) return outcome;
    const wait = outcome ? afterErrors.shift() : afterThrottle;
    afterThrottle = outcome ? waits.afterThrottle : Math.min(2 * afterThrottle, waits.longest);
    if (wait === undefined || age + wait > waits.maxAge) return outcome ?? throttledTooLong();
    await pause(wait);
    age += wait;
  }
};

/** The outcome of an invocation; undefined when Lambda throttled it. */
const unlessThrottled = async (invoke: () => Promise<Outcome>): Promise<Outcome | undefined> => {
  try {
    return await invoke();
  } catch (error) {
    if (isThrottle(error)) return undefined;
    throw error;
  }
};
