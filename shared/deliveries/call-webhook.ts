/** Call webhook: one call of the webhook of a definition, signed with the secret that the definition keeps encrypted. */
import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { KeyService } from '../runtime/ports.ts';
import type { SendFailure, SendOutcome, WebhookSender } from '../webhooks/sender.ts';
import { signedHeaders } from '../webhooks/signature.ts';
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
  unreachable: 'no server can be reached there',
  certificate: 'the certificate of the server is not valid',
  late: 'the connection broke, or no answer came in time',
};

/** The outcome of an attempt at a webhook. One call is the whole attempt, so it is never `paused`. */
type WebhookOutcome =
  | { readonly kind: 'delivered'; readonly httpStatus: number }
  | Exclude<AttemptOutcome, { readonly kind: 'delivered' | 'paused' }>;

/** Ports of a call. */
export interface CallDeps {
  readonly keyService: Pick<KeyService, 'decrypt'>;
  readonly send: WebhookSender;
  readonly clock: Clock;
}

/** A message to a webhook. */
interface Message {
  readonly url: string;
  /** The secret of the webhook, encrypted under the context. */
  readonly secret: Uint8Array;
  readonly context: Readonly<Record<string, string>>;
  /** The same in every attempt, so that a receiver whose answer was lost recognizes the repetition. */
  readonly id: string;
  readonly body: string;
}

/** Calls a webhook once. */
export const callWebhook = async (
  deps: CallDeps,
  { secret, context, ...message }: Message,
): Promise<WebhookOutcome> => callSigned(deps, await deps.keyService.decrypt(secret, context), message);

/** The same with the secret itself, for a sender of many calls. */
export const callSigned = async (
  { send, clock }: Pick<CallDeps, 'send' | 'clock'>,
  secret: Uint8Array,
  { url, id, body }: Pick<Message, 'url' | 'id' | 'body'>,
): Promise<WebhookOutcome> =>
  webhookOutcome(await send({ url, headers: signedHeaders(secret, { id, now: clock(), body }), body }));

/** The outcome of an attempt, from the outcome of its call. Any 2xx is success. */
const webhookOutcome = (outcome: SendOutcome): WebhookOutcome => {
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
