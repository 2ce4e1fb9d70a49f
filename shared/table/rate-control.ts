/** Rate control: makes the calls of one process to a table as fast as the table serves them. */
import type { Clock } from '../runtime/clock.ts';
import { limits } from '../config/limits.ts';
import { checkDeadline, checkThrottledTime } from '../runtime/deadline.ts';
import { type Patience, whileThrottled, whileThrottledBriefly } from '../runtime/retry.ts';
import { afterServed, afterThrottled, isBounded, refilled, spent, unboundedRate, waitOf } from './rate.ts';

/** Controls the calls of one kind, reads or writes, to one table. */
export interface RateControl {
  /**
   * Waits until a call of about this many units may leave; calls leave in the order in which they ask. Throws
   * `UnavailableError` when the deadline of the work passes first.
   */
  admit(units: number): Promise<void>;
  /**
   * Reports an answer: the units that `admit` was asked for, the units that the table served, and the units that it
   * throttled. Throws `UnavailableError` when the work has been throttled for too long.
   */
  answered(outcome: { readonly admitted: number; readonly served: number; readonly throttled: number }): void;
  /** The pauses between two rounds of a throttled call. */
  readonly patience: Patience;
}

/** The controls of one table. */
export interface TableRates {
  readonly read: RateControl;
  readonly write: RateControl;
}

/** Ports of a control. */
export interface RateControlDeps {
  readonly clock: Clock;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** A waiting call looks this often whether the rate has changed or its deadline has passed. */
const LONGEST_WAIT_MS = 200;

/**
 * The control of bulk work. It costs nothing until the table throttles for the first time. Then calls leave at the rate
 * of `rate.ts`, so that the processes together use what the table gives, and other callers get a share.
 */
export const rateControl = ({ clock, sleep }: RateControlDeps): RateControl => {
  let rate = unboundedRate(clock());
  let last: Promise<unknown> = Promise.resolve();
  const turn = async (units: number): Promise<void> => {
    for (;;) {
      checkDeadline();
      rate = refilled(rate, clock());
      const wait = waitOf(rate, clock());
      if (wait === 0) break;
      await sleep(Math.min(wait, LONGEST_WAIT_MS));
    }
    rate = spent(rate, units);
  };
  return {
    patience: whileThrottled,
    admit: (units) => {
      if (!isBounded(rate)) return Promise.resolve();
      const admitted = last.then(() => turn(units));
      last = admitted.catch(() => undefined);
      return admitted;
    },
    answered: ({ admitted, served, throttled }) => {
      const now = clock();
      rate = spent(afterServed(rate, served, now), served - admitted);
      if (throttled > 0) rate = afterThrottled(rate, throttled, now);
    },
  };
};

const free: RateControl = {
  patience: whileThrottledBriefly,
  admit: () => Promise.resolve(),
  answered: () => undefined,
};

/**
 * The controls of interactive work: no rate and short pauses, so that a lookup gets its share while bulk work yields. Work
 * that has been throttled for two seconds gives up at its next throttled read, but not at a write, because it may have
 * changed something already.
 */
export const uncontrolled: TableRates = {
  read: {
    ...free,
    answered: ({ throttled }) => {
      if (throttled > 0) checkThrottledTime(limits.table.throttledReadMilliseconds);
    },
  },
  write: free,
};
