import { limits } from '../../config/limits.ts';

import type { ReadBack } from '../../sftp/read-back.ts';
import type { DeliveryAttempt, ExportDelivery } from '../model/items.ts';

type Log = readonly DeliveryAttempt[];

/** The log of a delivery that nobody is at: an attempt whose end was not noted has broken off. */
export const closedLog = (log: Log): DeliveryAttempt[] =>
  log.map((attempt) => (attempt.outcome === 'sending' ? { ...attempt, outcome: 'broken_off' } : attempt));

/** The log with the attempt that begins now (epoch milliseconds). The oldest ones make room. */
export const newAttempt = ({ log, replays, begun }: ExportDelivery, now: number): DeliveryAttempt[] => {
  const attempt: DeliveryAttempt = {
    number: begun + 1,
    replay: replays,
    started: now,
    ended: null,
    outcome: 'sending',
    http_status: null,
    read_back: null,
    error: null,
  };
  return [...closedLog(log), attempt].slice(-limits.exports.attemptsKept);
};

/** The log with what came of the attempt under way, its newest entry. */
export const endAttempt = (log: Log, outcome: AttemptOutcome, now: number): DeliveryAttempt[] => [
  ...log.slice(0, -1),
  ...log.slice(-1).map((last): DeliveryAttempt => ({
    ...last,
    ended: now,
    outcome: outcome.kind === 'hopeless' ? 'failed' : outcome.kind,
    http_status: 'httpStatus' in outcome ? (outcome.httpStatus ?? null) : null,
    read_back: 'readBack' in outcome ? (outcome.readBack ?? null) : null,
    error: 'error' in outcome ? outcome.error : null,
  })),
];

/** What came of one attempt. `paused`: all went well, and there is more to do; `hopeless`: no later one can succeed. */
export type AttemptOutcome =
  | {
      readonly kind: 'delivered' | 'paused';
      readonly httpStatus?: number;
      readonly readBack?: ReadBack | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly httpStatus?: number;
      readonly retryAfter?: string | undefined;
      readonly readBack?: ReadBack | undefined;
    }
  | { readonly kind: 'hopeless'; readonly error: string; readonly httpStatus?: number };
