/** Count in a window: bounds what is done in a fixed time. */
import { limits } from '../config/limits.ts';
import { problems, type Problem } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { ttlAt } from '../runtime/clock.ts';

/** What is counted: `amount` in the window of `milliseconds` that holds `now` (epoch milliseconds). */
export interface WindowCount {
  readonly key: (window: number) => Key;
  readonly amount: number;
  readonly milliseconds: number;
  readonly now: number;
}

/** Adds an amount to its window. Returns what the window then holds, and its end. */
export const addToWindow = async (
  table: Pick<Table, 'increment'>,
  { key, amount, milliseconds, now }: WindowCount,
): Promise<{ readonly held: number; readonly end: number }> => {
  const window = Math.floor(now / milliseconds);
  const end = (window + 1) * milliseconds;
  const ttl = ttlAt(end + limits.rates.keptSeconds * 1_000);
  return { held: await table.increment(key(window), amount, { ttl }), end };
};

/**
 * Adds an amount to its window; the refusal when the window then holds more than `most`, which gets the seconds to the end
 * of the window. A refused amount stays counted.
 */
export const countInWindow = async (
  table: Pick<Table, 'increment'>,
  count: WindowCount,
  most: number,
  refusal: (wait: number) => Problem = (wait) => problems.rateLimited('rate_limited', wait),
): Promise<Result<undefined, Problem>> => {
  const { held, end } = await addToWindow(table, count);
  return held <= most ? ok(undefined) : err(refusal((end - count.now) / 1_000));
};
