import { limits } from '../../config/limits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Waits after the first, second, … failed attempt; the last one repeats. As Standard Webhooks suggests. */
const waits = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR];
const LONGEST_WAIT = 24 * HOUR;
const PERIOD = limits.exports.webhookRetryHours * HOUR;

/** What is known when an attempt has failed. Times are epoch milliseconds. */
export interface FailedAttempt {
  readonly attempts: number;
  readonly first: number;
  readonly now: number;
  /** `Retry-After` of the answer, as it came. */
  readonly retryAfter: string | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/** A wait is longer by up to this part of itself, so that what failed at once does not come again at once. */
const JITTER = 0.2;

/**
 * When to try again: waits grow and are spread by `random`, a `Retry-After` makes them longer (24 h at most), and the last
 * attempt comes right at the end of the three days. `undefined` once they are over.
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

/** Milliseconds that a `Retry-After` (seconds, or a date) asks for; 0 when it is absent or says nothing sensible. */
const askedWait = (retryAfter: string | undefined, now: number): number => {
  if (retryAfter === undefined) return 0;
  if (/^\d{1,15}$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
};
