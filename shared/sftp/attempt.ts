import type { Clock } from '../runtime/clock.ts';
import type { PutWay } from './outgoing.ts';
import type { ReadBack } from './read-back.ts';

/** The steps of putting a file on a server, in order. `look` and `verify` need a server on which one may look at files. */
export const putSteps = ['look', 'write', 'verify', 'rename'] as const;
export type PutStep = (typeof putSteps)[number];

/** The clock and randomness of an attempt to put a file on a server, the way that the server takes, and listeners. */
export interface Attempt {
  readonly way: PutWay;
  readonly clock: Clock;
  /** The end of the attempt (epoch milliseconds). */
  readonly until: number;
  /** A number from 0 to 1: see `piecesOf`. */
  readonly random: () => number;
  /** Called with the way in which the attempt checked the file of an earlier attempt; not called without such a file. */
  readonly onReadBack: (way: ReadBack) => void;
  /** Called at the begin of each step. */
  readonly onStep: (step: PutStep) => void;
}
