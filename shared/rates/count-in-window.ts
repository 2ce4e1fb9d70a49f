/** Count in a window: bounds what is done at an address that needs no token. */
import { limits } from '../config/limits.ts';
import { problems, type Problem } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** What is counted: `amount` of at most `most` in the window of `milliseconds` that holds `now` (epoch milliseconds). */
export interface WindowCount {
  readonly key: (window: number) => Key;
  readonly amount: number;
  readonly most: number;
  readonly milliseconds: number;
  readonly now: number;
}

/**
 * Adds an amount to its window; 429 `rate_limited` when the window then holds more than it may, with the end of the window
 * in `Retry-After`. A refused amount stays counted.
 */
export const countInWindow = async (
  rates: Pick<Table, 'increment'>,
  { key, amount, most, milliseconds, now }: WindowCount,
): Promise<Result<undefined, Problem>> => {
  const window = Math.floor(now / milliseconds);
  const end = (window + 1) * milliseconds;
  const ttl = Math.ceil(end / 1_000) + limits.rates.keptSeconds;
  const counted = await rates.increment(key(window), amount, { ttl });
  return counted <= most ? ok(undefined) : err(problems.rateLimited('rate_limited', (end - now) / 1_000));
};
