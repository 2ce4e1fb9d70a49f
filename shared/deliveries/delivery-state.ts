/** Delivery state: new deliveries, and the log of their attempts. */
import { limits } from '../config/limits.ts';
import type { ReadBack } from '../sftp/read-back.ts';
import type { Delivery, DeliveryAttempt } from './delivery.ts';

/** A delivery before its first attempt, or, as a replay of `before`, before its next attempt. */
export const newDelivery = <Kind extends string>(kind: Kind, before?: Delivery<Kind>): Delivery<Kind> => ({
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

/** Whether a delivery still has attempts to come. */
export const hasAttemptsLeft = ({ state }: Pick<Delivery<string>, 'state'>): boolean =>
  state !== 'delivered' && state !== 'exhausted';

type Log = readonly DeliveryAttempt[];

/** The log with no attempt under way: an attempt without an outcome was interrupted. */
export const closedLog = (log: Log): DeliveryAttempt[] =>
  log.map((attempt) => (attempt.outcome === 'sending' ? { ...attempt, outcome: 'interrupted' } : attempt));

/** The log with an attempt that begins now (epoch milliseconds). The oldest attempts beyond `attemptsKept` are dropped. */
export const newAttempt = (
  { log, replays, begun }: Pick<Delivery<string>, 'log' | 'replays' | 'begun'>,
  now: number,
): DeliveryAttempt[] => {
  const attempt: DeliveryAttempt = {
    number: begun + 1,
    replay: replays,
    started: now,
    ended: null,
    outcome: 'sending',
    http_status: null,
    read_back: null,
    error: null,
    remark: null,
  };
  return [...closedLog(log), attempt].slice(-limits.exports.attemptsKept);
};

/** The log with the outcome of its newest attempt. */
export const endAttempt = (log: Log, outcome: AttemptOutcome, now: number): DeliveryAttempt[] => [
  ...log.slice(0, -1),
  ...log.slice(-1).map((last): DeliveryAttempt => ({
    ...last,
    ended: now,
    outcome: outcome.kind === 'permanent_failure' ? 'failed' : outcome.kind,
    http_status: 'httpStatus' in outcome ? (outcome.httpStatus ?? null) : null,
    read_back: 'readBack' in outcome ? (outcome.readBack ?? null) : null,
    error: 'error' in outcome ? outcome.error : null,
    remark: 'remark' in outcome ? (outcome.remark ?? null) : null,
  })),
];

/**
 * The outcome of one attempt. `paused`: the attempt succeeded, and more is left to send. `permanent_failure`: no later
 * attempt can succeed.
 */
export type AttemptOutcome =
  | {
      readonly kind: 'delivered' | 'paused';
      readonly httpStatus?: number;
      readonly remark?: string | undefined;
      readonly readBack?: ReadBack | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly httpStatus?: number;
      readonly retryAfter?: string | undefined;
      readonly readBack?: ReadBack | undefined;
    }
  | { readonly kind: 'permanent_failure'; readonly error: string; readonly httpStatus?: number };

/** The outcome of an attempt that no later attempt can better. */
export const permanentFailure = (error: string): AttemptOutcome => ({ kind: 'permanent_failure', error });
