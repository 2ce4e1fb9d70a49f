/**
 * Retries on conflict: repeats work under optimistic locking until no other writer comes between, with backoff and a
 * bound.
 */
import { UnavailableError } from './aws-errors.ts';
import { checkDeadline } from './deadline.ts';
import type { Pause } from './pause.ts';

/** How often work is repeated against other writers of the same items. */
export interface Patience {
  readonly rounds: number;
  /** Longest pause between two rounds, as an attempt number of the pause. */
  readonly longest: number;
}

/** For work that starts again from its beginning: pauses grow to 2 s, about 15 s in all. */
export const fewRounds: Patience = { rounds: 18, longest: Number.POSITIVE_INFINITY };

/** For one item with many writers: pauses of at most 0.2 s on average, about 15 s in all. */
export const manyRounds: Patience = { rounds: 80, longest: 4 };

/**
 * For calls that a table throttles: as long as the deadline of the work allows. Pauses are 0.2 s on average. Work without a
 * deadline ends after about 15 minutes, as a function does.
 */
export const whileThrottled: Patience = { rounds: 4_500, longest: 4 };

/** The same for work on which a client waits: pauses of 0.05 s on average, so that it gets its units before bulk work. */
export const whileThrottledBriefly: Patience = { rounds: 18_000, longest: 2 };

/** How to repeat: the pause between two rounds, a name for the error, and the bound (`manyRounds` unless named). */
export interface Retry {
  readonly pause: Pause;
  /** The contended item or work, as the error names it: `exports: a definition`. */
  readonly what: string;
  readonly patience?: Patience;
}

/**
 * Waits before a round (from 0); the first begins at once. Throws `UnavailableError` when the deadline of the work is
 * over.
 */
const startRound = async (pause: Pause, { longest }: Patience, round: number): Promise<void> => {
  if (round > 0) await pause(Math.min(round, longest));
  checkDeadline();
};

/** The error after the last round. Contention passes by itself, so the caller may try again later. */
const exhausted = (what: string, { rounds }: Patience): UnavailableError =>
  new UnavailableError(`${what}: gave up after ${rounds} rounds`);

/**
 * The outcome of one round: the result, or `conflict` when another writer came between and the round has to be
 * repeated.
 */
export type Attempted<T> = { readonly done: T } | 'conflict';

/** The outcome of a round that ends the work. */
export const done = <T>(result: T): Attempted<T> => ({ done: result });

/**
 * Repeats `attempt` (rounds from 0) until it has a result. Returns `conflict` after the last round, for a caller that
 * then refuses its request. Throws `UnavailableError` when the deadline of the work is over.
 */
export const retryUntil = async <T>(
  { pause, patience = manyRounds }: Omit<Retry, 'what'>,
  attempt: (round: number) => Promise<Attempted<T>>,
): Promise<Attempted<T>> => {
  for (let round = 0; round < patience.rounds; round += 1) {
    await startRound(pause, patience, round);
    const attempted = await attempt(round);
    if (attempted !== 'conflict') return attempted;
  }
  return 'conflict';
};

/**
 * Repeats `attempt` (rounds from 0) until it has a result. Throws `UnavailableError` after the last round or the
 * deadline.
 */
export const retryOnConflict = async <T>(
  { what, patience = manyRounds, pause }: Retry,
  attempt: (round: number) => Promise<Attempted<T>>,
): Promise<T> => {
  const attempted = await retryUntil({ pause, patience }, attempt);
  if (attempted === 'conflict') throw exhausted(what, patience);
  return attempted.done;
};

/**
 * Repeats `attempt` with the items that it returns, the items still to be done, until none is left. Throws as
 * `retryOnConflict` does.
 */
export const retryRemaining = async <Item>(
  { what, patience = manyRounds, pause }: Retry,
  items: readonly Item[],
  attempt: (left: readonly Item[], round: number) => Promise<readonly Item[]>,
): Promise<void> => {
  let left = items;
  for (let round = 0; left.length > 0; round += 1) {
    if (round === patience.rounds) throw exhausted(`${what} (${left.length} left)`, patience);
    await startRound(pause, patience, round);
    left = await attempt(left, round);
  }
};
