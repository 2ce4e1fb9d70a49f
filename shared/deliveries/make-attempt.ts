/** Make attempt: makes one attempt at a delivery under a lease, and stores the outcome, for every kind of delivery. */
import { limits } from '../config/limits.ts';
import { HOUR_MS, type Clock } from '../runtime/clock.ts';
import type { Attributes, WriteOutcome } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import type { Delivery } from './delivery.ts';
import { closedLog, endAttempt, newAttempt, type AttemptOutcome } from './delivery-state.ts';
import { isOver, nextAttempt } from './retry-plan.ts';

export interface AttemptDeps {
  readonly clock: Clock;
  /** A number from 0 to 1 that spreads the attempts of deliveries which failed at the same time. */
  readonly random: () => number;
}

/** The next step of a workflow: end (delivered or exhausted), or wait and try again. */
export interface DeliverAnswer {
  readonly delivered: boolean;
  readonly exhausted: boolean;
  readonly wait_seconds: number;
}

/** Nothing is left to do. Also the answer for a delivery that does not exist. */
export const deliveredAnswer: DeliverAnswer = { delivered: true, exhausted: false, wait_seconds: 0 };
const exhaustedAnswer: DeliverAnswer = { delivered: false, exhausted: true, wait_seconds: 0 };

/** One stored delivery. */
export interface StoredDelivery<Kind extends string> {
  readonly read: () => Promise<Versioned<Delivery<Kind>> | undefined>;
  /** Changes the delivery; refused unless it has the attributes `expect`. */
  readonly update: (set: Delivery<Kind>, expect: Attributes) => Promise<WriteOutcome>;
}

interface Attempt {
  /** Lease of an attempt. An attempt that reported no outcome by then was interrupted. */
  readonly leaseSeconds: number;
  /** Sends. `begun` is the number of the attempt. */
  readonly send: (begun: number) => Promise<AttemptOutcome>;
  /** What follows when the time for attempts is over; it is told with the last error. */
  readonly givenUp?: string | undefined;
}

/**
 * Makes one attempt at a delivery if it is due and no other attempt is under way, and stores the outcome. The attempt
 * is stored before it begins, so concurrent executions do not send twice. An interrupted attempt is repeated, so
 * delivery is at least once.
 */
export const makeAttempt = async <Kind extends string>(
  deps: AttemptDeps,
  stored: StoredDelivery<Kind>,
  { leaseSeconds, send, givenUp }: Attempt,
): Promise<DeliverAnswer> => {
  const seen = await stored.read();
  if (!seen) return deliveredAnswer;
  const started = deps.clock();
  if (!isDue(seen.value, started)) return answerOf(seen.value, started);
  if (isOver(seen.value.first_attempt, started)) return endUnheard(deps, stored, seen, givenUp);
  const begun = await begin(deps, stored, seen, started + leaseSeconds * 1000);
  if (!begun) return currentAnswer(deps, stored);
  const outcome = await send(begun.begun);
  const ended = afterAttempt(begun, outcome, { now: deps.clock(), random: deps.random() });
  const isGivenUp = ended.state === 'exhausted' && outcome.kind !== 'permanent_failure';
  const after = givenUp !== undefined && isGivenUp ? toldOf(ended, givenUp) : ended;
  // Stored only while this attempt is the newest. `begun` never repeats a value, so a late retry of the SDK cannot
  // overwrite the outcome of a later attempt.
  const written = await stored.update(after, { state: 'sending', begun: begun.begun });
  return written === 'applied' ? answerOf(after, deps.clock()) : currentAnswer(deps, stored);
};

/** Ends a delivery whose attempts were interrupted until the time for them was over. */
const endUnheard = async <Kind extends string>(
  deps: AttemptDeps,
  stored: StoredDelivery<Kind>,
  { value, w }: Versioned<Delivery<Kind>>,
  givenUp: string | undefined,
): Promise<DeliverAnswer> => {
  const last_error = value.last_error ?? 'its attempts were interrupted for three days';
  const log = closedLog(value.log);
  const ended: Delivery<Kind> = { ...value, state: 'exhausted', last_error, next_attempt: null, log };
  const after = givenUp === undefined ? ended : toldOf(ended, givenUp);
  return (await stored.update(after, { w })) === 'applied' ? exhaustedAnswer : currentAnswer(deps, stored);
};

/** A delivery that was given up, with what follows from it. */
const toldOf = <Kind extends string>(ended: Delivery<Kind>, givenUp: string): Delivery<Kind> => ({
  ...ended,
  last_error: `${ended.last_error}; ${givenUp}`,
});

const isDue = ({ state, next_attempt }: Delivery<string>, now: number): boolean =>
  state === 'waiting' || ((state === 'sending' || state === 'retrying') && (next_attempt ?? 0) <= now);

const currentAnswer = async <Kind extends string>(
  { clock }: Pick<AttemptDeps, 'clock'>,
  stored: StoredDelivery<Kind>,
): Promise<DeliverAnswer> => {
  const seen = await stored.read();
  return seen ? answerOf(seen.value, clock()) : deliveredAnswer;
};

/** Begins an attempt; `undefined` when another execution was faster. */
const begin = async <Kind extends string>(
  { clock }: AttemptDeps,
  stored: StoredDelivery<Kind>,
  { value, w }: Versioned<Delivery<Kind>>,
  until: number,
): Promise<Delivery<Kind> | undefined> => {
  const now = clock();
  const begun: Delivery<Kind> = {
    ...value,
    state: 'sending',
    begun: value.begun + 1,
    attempts: value.attempts + 1,
    first_attempt: value.first_attempt ?? now,
    last_attempt: now,
    next_attempt: until,
    log: newAttempt(value, now),
  };
  return (await stored.update(begun, { w })) === 'applied' ? begun : undefined;
};

const afterAttempt = <Kind extends string>(
  before: Delivery<Kind>,
  outcome: AttemptOutcome,
  { now, random }: { readonly now: number; readonly random: number },
): Delivery<Kind> => {
  const begun = { ...before, log: endAttempt(before.log, outcome, now) };
  const first = begun.first_attempt ?? now;
  switch (outcome.kind) {
    case 'delivered':
      return { ...begun, state: 'delivered', last_error: null, next_attempt: null, delivered: now };
    case 'paused':
      return now < first + limits.exports.webhookRetryHours * HOUR_MS
        ? { ...begun, state: 'retrying', attempts: begun.attempts - 1, last_error: null, next_attempt: now }
        : { ...begun, state: 'exhausted', last_error: 'it took longer than three days', next_attempt: null };
    case 'permanent_failure':
      return { ...begun, state: 'exhausted', last_error: outcome.error, next_attempt: null };
    case 'failed': {
      const { attempts } = begun;
      const next = nextAttempt({ attempts, first, now, retryAfter: outcome.retryAfter, random });
      const state = next === undefined ? 'exhausted' : 'retrying';
      return { ...begun, state, last_error: outcome.error, next_attempt: next ?? null };
    }
  }
};

const answerOf = ({ state, next_attempt }: Delivery<string>, now: number): DeliverAnswer => {
  if (state === 'delivered') return deliveredAnswer;
  if (state === 'exhausted') return exhaustedAnswer;
  const wait = Math.max(1, Math.ceil(((next_attempt ?? now) - now) / 1000));
  return { delivered: false, exhausted: false, wait_seconds: wait };
};
