/** Turns: the order in which the calls of a scheduled job take standing work. */

/** The golden ratio less one: its multiples spread evenly, whatever the step between them. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const SECOND_MS = 1_000;

/**
 * Rotates work, so that each call of a job begins with another piece and none waits behind a long one for ever: however
 * many pieces there are, and whatever the period of the calls. A remainder of the time would not do: a period of 120
 * seconds has no remainder by 2. `now` is in milliseconds.
 */
export const inTurn = <T>(work: readonly T[], now: number): readonly T[] => {
  const first = Math.floor(((Math.floor(now / SECOND_MS) * GOLDEN) % 1) * work.length);
  return [...work.slice(first), ...work.slice(0, first)];
};
