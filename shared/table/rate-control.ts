/**
 * Rate control: makes the calls of one process to a table as fast as the table serves them. The rate is plain functions of
 * a state; `rateControl` holds the state.
 *
 * The rate follows CUBIC (RFC 9438), the congestion control of TCP and of the SDK's adaptive retry mode. A throttle
 * lowers the rate below the rate that the table served. The rate then returns to the throttled rate, stays near it, and
 * at last probes above it. The cut follows the share of throttled units, as in DCTCP (RFC 8257): one hot partition must
 * not stop the calls to all others. The SDK's own limiter does not serve here: it counts requests instead of units, it
 * knows no partly throttled batch, and it has no clock to pass in.
 */
import type { Clock } from '../runtime/clock.ts';
import { limits } from '../config/limits.ts';
import { checkDeadline, checkThrottledTime, noteThrottle, noteUnits } from '../runtime/deadline.ts';
import {
  type Patience,
  whileThrottled,
  whileThrottledBriefly,
  done,
  retryOnConflict,
} from '../runtime/retry.ts';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { isNamed, isThrottle } from '../runtime/aws-errors.ts';
import type { Pause } from '../runtime/pause.ts';

/** The rate of one process. All rates are request units per second, all times epoch milliseconds. */
export interface Rate {
  /** The rate at which the last cut came; infinite until the second cut, because the first one tells too little. */
  readonly peak: number;
  /** The rate just after the last cut; infinite before the first. */
  readonly low: number;
  /** When the last cut was. */
  readonly loweredAt: number;
  /** Units that may be used now; negative while the process has used more. */
  readonly balance: number;
  readonly balanceAt: number;
  /** Moving sums of the units that the table served and throttled, and of the seconds in which it answered. */
  readonly served: number;
  readonly throttled: number;
  readonly seconds: number;
  readonly answeredAt: number;
}

/** Share of the rate that a throttle of all units takes away (CUBIC's beta is 0.7). */
const MOST_CUT = 0.3;

/** Growth of the rate, in units per second and cubic second (CUBIC's C). */
const GROWTH = 0.4;

/** A share of throttled units that needs no cut: a throttle costs nothing, and the units are sent again. */
const TOLERATED = 0.1;

/** The moving sums cover about this time. A longer time without an answer was idle and does not count. */
const COVERED_MS = 1_000;

/** All throttles of this time count as one: they are answers to calls that left before the first of them came. */
const ONE_CUT_MS = 500;

/** The least rate, so that every process makes progress. */
const LEAST = 5;

/** The least rate after the first cut: a batch a second. A process that begins on a busy table knows nothing yet. */
const LEAST_AT_FIRST = 25;

/** Unused units are kept for this long. */
const BURST_SECONDS = 0.25;

/** The rate of a process that the table has never throttled: no bound. */
export const unboundedRate = (now: number): Rate => ({
  peak: Number.POSITIVE_INFINITY,
  low: Number.POSITIVE_INFINITY,
  loweredAt: Number.NEGATIVE_INFINITY,
  balance: 0,
  balanceAt: now,
  served: 0,
  throttled: 0,
  seconds: 0,
  answeredAt: now,
});

/** Whether the table has throttled this process. Before that, every call may leave at once. */
const isBounded = ({ low }: Rate): boolean => Number.isFinite(low);

/** Fades the moving sums and adds an answer. */
const answered = (rate: Rate, { served = 0, throttled = 0 }: Partial<Rate>, now: number): Rate => {
  const passed = Math.max(0, now - rate.answeredAt);
  const fade = Math.exp(-passed / COVERED_MS);
  return {
    ...rate,
    served: rate.served * fade + served,
    throttled: rate.throttled * fade + throttled,
    seconds: rate.seconds * fade + (passed > COVERED_MS ? 0 : passed / 1_000),
    answeredAt: now,
  };
};

/** Units per second that the table served lately. */
const servedRate = ({ served, seconds }: Rate): number => (served === 0 ? 0 : served / seconds);

/** Units per second that the process may use now. */
export const unitsPerSecond = (rate: Rate, now: number): number => {
  const { peak, low, loweredAt } = rate;
  if (!isBounded(rate)) return low;
  const seconds = Math.max(0, now - loweredAt) / 1_000;
  // A rate that the process does not use says nothing about the table, so it does not grow without bound.
  const most = Math.max(LEAST, low, 2 * servedRate(rate));
  // Slow start: after the first cut, the rate doubles every second until the second cut.
  if (!Number.isFinite(peak)) return Math.min(low * 2 ** seconds, most);
  const cubic = GROWTH * (seconds - Math.cbrt((peak - low) / GROWTH)) ** 3 + peak;
  return Math.min(cubic, Math.max(most, peak));
};

/** The state after time has passed: new units are in the balance. */
export const refilled = (rate: Rate, now: number): Rate => {
  if (!isBounded(rate)) return rate;
  const perSecond = unitsPerSecond(rate, now);
  const earned = (perSecond * Math.max(0, now - rate.balanceAt)) / 1_000;
  return { ...rate, balance: Math.min(rate.balance + earned, perSecond * BURST_SECONDS), balanceAt: now };
};

/** Milliseconds until a call may leave: the balance must be positive. A call may then use more than the balance has. */
export const waitOf = (rate: Rate, now: number): number =>
  !isBounded(rate) || rate.balance > 0
    ? 0
    : Math.ceil((1_000 * (1 - rate.balance)) / unitsPerSecond(rate, now));

/** The state after a call with this many units has left. Negative units correct an estimate that was too high. */
export const spent = (rate: Rate, units: number): Rate =>
  isBounded(rate) ? { ...rate, balance: rate.balance - units } : rate;

/** The state after the table has served units. */
export const afterServed = (rate: Rate, served: number, now: number): Rate => answered(rate, { served }, now);

/** The state after the table has throttled units. */
export const afterThrottled = (rate: Rate, throttled: number, now: number): Rate => {
  const current = answered(rate, { throttled }, now);
  const share = current.throttled / (current.throttled + current.served);
  if (now - rate.loweredAt < ONE_CUT_MS || share < TOLERATED) return current;
  const least = isBounded(rate) ? LEAST : LEAST_AT_FIRST;
  const reached = Math.max(least, Math.min(unitsPerSecond(current, now), servedRate(current)));
  return {
    ...current,
    peak: isBounded(rate) ? reached : rate.peak,
    low: Math.max(least, reached * (1 - MOST_CUT * share)),
    loweredAt: now,
    balance: Math.min(0, rate.balance),
    balanceAt: now,
  };
};

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
 * of the state, so that the processes together use what the table gives, and other callers get a share.
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

/** Asks DynamoDB for the units that a call consumed: rates are in units. */
export const countUnits = { ReturnConsumedCapacity: 'TOTAL' } as const;

/** The part of an answer that tells the consumed units. */
export interface Metered {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined;
}

/** The table throttled a whole call and carried out nothing of it. */
export class ThrottledCall {
  /** Whether an earlier attempt of the SDK may have been carried out without an answer. */
  readonly mayBeDone: boolean;

  constructor(error: unknown) {
    this.mayBeDone = wasSentBefore(error);
  }
}

/** Whether the SDK had sent a call before the attempt that failed with this error. */
export const wasSentBefore = (error: unknown): boolean => {
  const sent = v.safeParse(sentError, error);
  return sent.success && (sent.output.$metadata.attempts ?? 1) > 1;
};

const sentError = v.looseObject({ $metadata: v.looseObject({ attempts: v.optional(v.number()) }) });

/** One call. */
interface PacedCall<Output> {
  readonly control: RateControl;
  /** The number of its items, which is an estimate of its units. */
  readonly items: number;
  readonly send: () => Promise<Output>;
  /** How many of the items the table throttled. */
  readonly throttledOf?: (output: Output) => number;
}

/** Sends a call when its rate allows it, and reports the outcome to the control. */
export const sendPaced = async <Output extends Metered>({
  control,
  items,
  send,
  throttledOf = () => 0,
}: PacedCall<Output>): Promise<Output | ThrottledCall> => {
  await control.admit(items);
  const report = (served: number, throttled: number): void => {
    if (throttled > 0) noteThrottle();
    noteUnits(served);
    control.answered({ admitted: items, served, throttled });
  };
  try {
    const output = await send();
    const throttled = throttledOf(output);
    report(unitsOf(output) ?? items - throttled, throttled);
    return output;
  } catch (error) {
    report(0, isThrottle(error) ? items : 0);
    // A transaction on the same item comes between: as little was carried out, and the rate is not to blame.
    if (isThrottle(error) || isNamed(error, 'TransactionConflictException')) return new ThrottledCall(error);
    throw error;
  }
};

/** The units that a call consumed; `undefined` when its answer does not tell. */
export const unitsOf = ({ ConsumedCapacity: consumed = [] }: Metered): number | undefined => {
  const parts = [consumed].flat();
  return parts.length === 0 ? undefined : parts.reduce((sum, one) => sum + (one.CapacityUnits ?? 0), 0);
};

/**
 * Sends a call that the table serves as a whole or not at all, again and again while the table throttles it. Throws
 * `UnavailableError` when the deadline of the work passes.
 */
export const untilServed = <Output extends Metered>(
  { pause, control }: { readonly pause: Pause; readonly control: RateControl },
  send: () => Promise<Output>,
): Promise<Output> =>
  retryOnConflict({ pause, what: 'table: a throttled call', patience: control.patience }, async () => {
    const answer = await sendPaced({ control, items: 1, send });
    return answer instanceof ThrottledCall ? 'conflict' : done(answer);
  });
