import { limits } from '../../config/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type AttemptOutcome, closedLog, endAttempt, newAttempt } from './delivery-log.ts';
import {
  deliveryKinds,
  type DeliveryKind,
  type ExportDefinition,
  type ExportDelivery,
  type ExportJob,
  type JobRef,
} from '../model/items.ts';
import type { ExportRepository, Seen } from '../model/repository.ts';
import { requireJob } from '../model/required-items.ts';
import { nextAttempt } from './retry-plan.ts';

/** What every way of delivering needs. */
export interface DeliveryDeps {
  readonly exports: ExportRepository;
  readonly clock: Clock;
  /** A number from 0 to 1 that spreads the attempts of many deliveries which failed at once. */
  readonly random: () => number;
}

/** What the workflow does next: end (delivered, or given up), or wait so many seconds and try again. */
export interface DeliverAnswer {
  readonly delivered: boolean;
  readonly give_up: boolean;
  readonly wait_seconds: number;
}

/** The ways in which the jobs of a definition are delivered. */
export const kindsOf = ({
  destination,
  webhook_url,
  notification_email,
}: ExportDefinition): readonly DeliveryKind[] => {
  const wanted = { sftp: destination, webhook: webhook_url, email: notification_email };
  return deliveryKinds.filter((kind) => wanted[kind] !== null);
};

/** A delivery that was not attempted yet, or, after another one, not again. */
export const newDelivery = (kind: DeliveryKind, before?: ExportDelivery): ExportDelivery => ({
  kind,
  state: 'waiting',
  replays: before ? before.replays + 1 : 0,
  begun: before?.begun ?? 0,
  attempts: 0,
  first_attempt: null,
  last_attempt: null,
  last_error: null,
  next_attempt: null,
  delivered: null,
  log: closedLog(before?.log ?? []),
});

/** Nothing is left to do; also the answer for what an export does not have, and for a job the client cancelled. */
const done: DeliverAnswer = { delivered: true, give_up: false, wait_seconds: 0 };
const exhausted: DeliverAnswer = { delivered: false, give_up: true, wait_seconds: 0 };

interface Attempt {
  readonly kind: DeliveryKind;
  /** Time that an attempt may take; one that is not noted by then has broken off. */
  readonly leaseSeconds: number;
  /** Sends by the definition that the job worked by. */
  readonly send: (job: ExportJob, definition: ExportDefinition) => Promise<AttemptOutcome>;
}

/**
 * Makes one attempt at a delivery, when it is due and nobody else is at it, and notes what came of it. The attempt is noted
 * before it begins, so that executions side by side don't send twice; one that broke off is made again, so what is sent
 * may come twice, but is not lost. Of an export that was deleted nothing more is sent. Throws while the job is still
 * running: a notice must not be earlier than the file.
 */
export const attemptDelivery = async (
  deps: DeliveryDeps,
  ref: JobRef,
  { kind, leaseSeconds, send }: Attempt,
): Promise<DeliverAnswer> => {
  const { value: job } = await requireJob(deps.exports, ref);
  if (job.status === 'pending' || job.status === 'running') throw new Error('exports: the job has not ended');
  const isWanted = job.status !== 'cancelled' && (await deps.exports.definition(ref.property, ref.export));
  const seen = isWanted ? await deps.exports.delivery(ref, kind) : undefined;
  if (!seen) return done;
  const started = deps.clock();
  if (!isDue(seen.value, started)) return answerOf(seen.value, started);
  const begun = await begin(deps, ref, seen, started + leaseSeconds * 1000);
  if (!begun) return currentAnswer(deps, ref, kind);
  const definition = await deps.exports.frozenDefinition(ref);
  const outcome = definition ? await send(job, definition) : tooLate;
  const after = afterAttempt(begun, outcome, { now: deps.clock(), random: deps.random() });
  // Noted only while this attempt is the newest one: `begun` never has the same value twice, so a note that the SDK sends
  // again cannot overwrite a later attempt.
  const noted = await deps.exports.updateDelivery(ref, after, { state: 'sending', begun: begun.begun });
  return noted === 'applied' ? answerOf(after, deps.clock()) : currentAnswer(deps, ref, kind);
};

const tooLate: AttemptOutcome = { kind: 'hopeless', error: 'the job is too long ago' };

const isDue = ({ state, next_attempt }: ExportDelivery, now: number): boolean =>
  state === 'waiting' || ((state === 'sending' || state === 'retrying') && (next_attempt ?? 0) <= now);

const currentAnswer = async (
  { exports, clock }: Pick<DeliveryDeps, 'exports' | 'clock'>,
  ref: JobRef,
  kind: DeliveryKind,
) => {
  const seen = await exports.delivery(ref, kind);
  return seen ? answerOf(seen.value, clock()) : done;
};

/** Takes an attempt, unless somebody else was faster. */
const begin = async (
  { exports, clock }: DeliveryDeps,
  ref: JobRef,
  { value, w }: Seen<ExportDelivery>,
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
        : { ...begun, state: 'given_up', last_error: 'it took longer than three days', next_attempt: null };
    case 'hopeless':
      return { ...begun, state: 'given_up', last_error: outcome.error, next_attempt: null };
    case 'failed': {
      const { attempts } = begun;
      const next = nextAttempt({ attempts, first, now, retryAfter: outcome.retryAfter, random });
      const state = next === undefined ? 'given_up' : 'retrying';
      return { ...begun, state, last_error: outcome.error, next_attempt: next ?? null };
    }
  }
};

const answerOf = ({ state, next_attempt }: ExportDelivery, now: number): DeliverAnswer => {
  if (state === 'delivered') return done;
  if (state === 'given_up') return exhausted;
  const wait = Math.max(1, Math.ceil(((next_attempt ?? now) - now) / 1000));
  return { delivered: false, give_up: false, wait_seconds: wait };
};
