import { limits } from '../config/limits.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../runtime/clock.ts';

/** Waits after the first, second, … failed attempt, as Standard Webhooks suggests. */
const waits = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
];
const LONGEST_WAIT = DAY_MS;
const PERIOD = limits.exports.webhookRetryHours * HOUR_MS;
/** An attempt that is due at the end may begin late. */
const LATEST = PERIOD + HOUR_MS;

/** Whether the time for attempts is over. A delivery none of whose attempts reports an outcome ends by this alone. */
export const isOver = (first: number | null, now: number): boolean => first !== null && now > first + LATEST;

/** A failed attempt. Times are epoch milliseconds. */
export interface FailedAttempt {
  readonly attempts: number;
  readonly first: number;
  readonly now: number;
  /** `Retry-After` of the answer, unparsed. */
  readonly retryAfter: string | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/** Jitter: a wait is up to this fraction longer, so that deliveries which failed together do not return together. */
const JITTER = 0.2;

/**
 * The time of the next attempt: exponential backoff with jitter. A `Retry-After` makes the wait longer, 24 h at most.
 * The last attempt comes at the end of the three days; after that, the result is `undefined`.
 */
export const nextAttempt = ({
  attempts,
  first,
  now,
  retryAfter,
  random,
}: FailedAttempt): number | undefined => {
  const end = first + PERIOD;
  if (now >= end) return undefined;
  const wait = waits[Math.min(attempts, waits.length) - 1] ?? LONGEST_WAIT;
  const asked = Math.min(askedWait(retryAfter, now), LONGEST_WAIT);
  return Math.min(now + Math.max(wait, asked) + Math.round(wait * JITTER * random), end);
};

/** The wait in a `Retry-After` (seconds or a date), in milliseconds; 0 when the header is absent or malformed. */
const askedWait = (retryAfter: string | undefined, now: number): number => {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,15}$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
};
