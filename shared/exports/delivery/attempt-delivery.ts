/** Attempt delivery: makes one attempt at a delivery under a lease, and stores the outcome, for every kind of delivery. */
import { limits } from '../../config/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Versioned } from '../../table/versioned.ts';
import type { DeliveryKind, ExportDefinition, ExportDelivery, ExportJob, JobRef } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requireJob } from '../model/required-items.ts';
import { isOpen } from '../model/transitions.ts';
import { endAttempt, newAttempt, type AttemptOutcome } from './delivery-state.ts';
import { nextAttempt } from './retry-plan.ts';

export interface DeliveryDeps {
  readonly exports: ExportRepository;
  readonly clock: Clock;
  /** A number from 0 to 1 that spreads the attempts of deliveries which failed at the same time. */
  readonly random: () => number;
}

/** The next step of the workflow: end (delivered or exhausted), or wait and try again. */
export interface DeliverAnswer {
  readonly delivered: boolean;
  readonly exhausted: boolean;
  readonly wait_seconds: number;
}

/** Nothing is left to do. Also the answer for a delivery that does not exist, and for a cancelled job. */
const delivered: DeliverAnswer = { delivered: true, exhausted: false, wait_seconds: 0 };
const exhausted: DeliverAnswer = { delivered: false, exhausted: true, wait_seconds: 0 };

interface Attempt {
  readonly kind: DeliveryKind;
  /** Lease of an attempt. An attempt that reported no outcome by then was interrupted. */
  readonly leaseSeconds: number;
  /** Sends by the definition that the job worked by. */
  readonly send: (job: ExportJob, definition: ExportDefinition) => Promise<AttemptOutcome>;
}

/**
 * Makes one attempt at a delivery if it is due and no other attempt is under way, and stores the outcome. The attempt
 * is stored before it begins, so concurrent executions do not send twice. An interrupted attempt is repeated, so
 * delivery is at least once. A deleted export sends nothing more. Throws while the job is open: a notice must not come
 * before the file.
 */
export const attemptDelivery = async (
  deps: DeliveryDeps,
  ref: JobRef,
  { kind, leaseSeconds, send }: Attempt,
): Promise<DeliverAnswer> => {
  const { value: job } = await requireJob(deps.exports, ref);
  if (isOpen(job)) throw new Error('exports: the job has not ended');
  const isWanted = job.status !== 'cancelled' && (await deps.exports.definition(ref.property, ref.export));
  const seen = isWanted ? await deps.exports.delivery(ref, kind) : undefined;
  if (!seen) return delivered;
  const started = deps.clock();
  if (!isDue(seen.value, started)) return answerOf(seen.value, started);
  const begun = await begin(deps, ref, seen, started + leaseSeconds * 1000);
  if (!begun) return currentAnswer(deps, ref, kind);
  const definition = await deps.exports.frozenDefinition(ref);
  const outcome = definition ? await send(job, definition) : expiredJob;
  const after = afterAttempt(begun, outcome, { now: deps.clock(), random: deps.random() });
  // Stored only while this attempt is the newest. `begun` never repeats a value, so a late retry of the SDK cannot overwrite the
  // outcome of a later attempt.
  const stored = await deps.exports.updateDelivery(ref, after, { state: 'sending', begun: begun.begun });
  return stored === 'applied' ? answerOf(after, deps.clock()) : currentAnswer(deps, ref, kind);
};

const expiredJob: AttemptOutcome = { kind: 'permanent_failure', error: 'the job is too long ago' };

const isDue = ({ state, next_attempt }: ExportDelivery, now: number): boolean =>
  state === 'waiting' || ((state === 'sending' || state === 'retrying') && (next_attempt ?? 0) <= now);

const currentAnswer = async (
  { exports, clock }: Pick<DeliveryDeps, 'exports' | 'clock'>,
  ref: JobRef,
  kind: DeliveryKind,
) => {
  const seen = await exports.delivery(ref, kind);
  return seen ? answerOf(seen.value, clock()) : delivered;
};

/** Begins an attempt; `undefined` when another execution was faster. */
const begin = async (
  { exports, clock }: DeliveryDeps,
  ref: JobRef,
  { value, w }: Versioned<ExportDelivery>,
  until: number,
): Promise<ExportDelivery | undefined> => {
  const now = clock();
  const begun: ExportDelivery = {
    ...value,
    state: 'sending',
    begun: value.begun + 1,
    attempts: value.attempts + 1,
    first_attempt: value.first_attempt ?? now,
    last_attempt: now,
    next_attempt: until,
    log: newAttempt(value, now),
  };
  return (await exports.updateDelivery(ref, begun, { w })) === 'applied' ? begun : undefined;
};

const afterAttempt = (
  before: ExportDelivery,
  outcome: AttemptOutcome,
  { now, random }: { readonly now: number; readonly random: number },
): ExportDelivery => {
  const begun = { ...before, log: endAttempt(before.log, outcome, now) };
  const first = begun.first_attempt ?? now;
  switch (outcome.kind) {
    case 'delivered':
      return { ...begun, state: 'delivered', last_error: null, next_attempt: null, delivered: now };
    case 'paused':
      return now < first + limits.exports.webhookRetryHours * 3_600_000
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

const answerOf = ({ state, next_attempt }: ExportDelivery, now: number): DeliverAnswer => {
  if (state === 'delivered') return delivered;
  if (state === 'exhausted') return exhausted;
  const wait = Math.max(1, Math.ceil(((next_attempt ?? now) - now) / 1000));
  return { delivered: false, exhausted: false, wait_seconds: wait };
};
