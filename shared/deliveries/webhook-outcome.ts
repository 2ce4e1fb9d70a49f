import { limits } from '../config/limits.ts';
import type { SendFailure, SendOutcome } from '../webhooks/sender.ts';
import type { AttemptOutcome } from './delivery-state.ts';

const GONE = 410;

/** Time beside the call itself: to read the secret and the keys, and to store the outcome. */
const MARGIN_SECONDS = 30;

/** Lease of an attempt at a webhook. */
export const webhookLeaseSeconds = limits.exports.webhookTimeoutSeconds + MARGIN_SECONDS;

/**
 * The error that a client sees for a failed call. A private address, an unknown name and a closed port have the same
 * error, so webhooks cannot be used to explore a network.
 */
const webhookFailures: Readonly<Record<SendFailure, string>> = {
  unreachable: 'no HTTPS server can be reached there',
  certificate: 'the certificate of the server is not valid',
  late: 'the connection broke, or no answer came in time',
};

/** The outcome of an attempt at a webhook. One call is the whole attempt, so it is never `paused`. */
type WebhookOutcome =
  | { readonly kind: 'delivered'; readonly httpStatus: number }
  | Exclude<AttemptOutcome, { readonly kind: 'delivered' | 'paused' }>;

/** The outcome of an attempt, from the outcome of its call. Any 2xx is success. */
export const webhookOutcome = (outcome: SendOutcome): WebhookOutcome => {
  switch (outcome.kind) {
    case 'answered': {
      const { status: httpStatus, retryAfter } = outcome;
      if (httpStatus >= 200 && httpStatus < 300) return { kind: 'delivered', httpStatus };
      // Gone is permanent (RFC 9110, 15.5.11): the receiver wants no more calls.
      if (httpStatus === GONE)
        return { kind: 'permanent_failure', error: 'answered 410: gone for good', httpStatus };
      return { kind: 'failed', error: `answered ${httpStatus}`, httpStatus, retryAfter };
    }
    case 'refused':
      return { kind: 'failed', error: webhookFailures.unreachable };
    case 'failed':
      return { kind: 'failed', error: webhookFailures[outcome.failure] };
  }
};
