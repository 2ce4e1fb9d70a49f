import { setTimeout as sleep } from 'node:timers/promises';

/** Waits before the `attempt`-th retry (from 1): exponential backoff with full jitter. */
export type Pause = (attempt: number) => Promise<void>;

/** Base delay and ceiling of a backoff, in milliseconds. */
const BASE_MS = 25;
const CEILING_MS = 2_000;

/** A real pause, between 0 and min(2 s, 25 ms × 2ⁿ). */
export const jitteredPause: Pause = async (attempt) => {
  await sleep(Math.random() * Math.min(CEILING_MS, BASE_MS * 2 ** attempt));
};
