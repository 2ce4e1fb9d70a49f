import { UnavailableError } from './aws-errors.ts';
import { checkDeadline } from './deadline.ts';
import type { Pause } from './pause.ts';

/** How long to go on against others who change the same things. */
interface Patience {
  readonly rounds: number;
  /** Longest pause between two rounds, as an attempt number of the pause. */
  readonly longest: number;
}

/** For work that is done over from its start: pauses grow to 2 s, about 15 s in all. */
export const fewRounds: Patience = { rounds: 18, longest: Number.POSITIVE_INFINITY };

/** For one item that many write: pauses of at most 0.2 s on average, about 15 s in all. */
export const manyRounds: Patience = { rounds: 80, longest: 4 };

/**
 * Waits before a round (from 0) of such work; the first begins at once. Throws `UnavailableError` when there have been enough,
 * because contention passes by itself, and when the deadline of the work is over.
 */
export const nextRound = async (
  pause: Pause,
  round: number,
  { rounds, longest }: Patience,
  what: string,
): Promise<void> => {
  if (round === rounds) throw new UnavailableError(`${what} stayed contended`);
  if (round > 0) await pause(Math.min(round, longest));
  checkDeadline();
};
