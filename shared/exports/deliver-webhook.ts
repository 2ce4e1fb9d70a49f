import type { PropertyScope } from '../profiles/types.ts';
import type { Clock } from '../runtime/clock.ts';
import type { KeyService } from '../runtime/ports.ts';
import type { SendOutcome, WebhookSender } from '../webhooks/sender.ts';
import { signedHeaders } from '../webhooks/signature.ts';
import type { ExportDelivery, ExportJob, JobRef } from './items.ts';
import { isOpen, secretContext } from './items.ts';
import { locationOf } from './location.ts';
import type { ExportRepository } from './repository.ts';
import { requireDefinition, requireJob } from './require.ts';
import { nextAttempt } from './retry-plan.ts';
import { messageId, webhookBody } from './webhook-message.ts';

/** What telling a webhook needs. */
export interface DeliverDeps {
  readonly exports: ExportRepository;
  readonly keyService: KeyService;
  readonly clock: Clock;
  readonly send: WebhookSender;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly baseUrl: string;
}

/** What the workflow does next: end (told, or given up), or wait so many seconds and try again. */
export interface DeliverAnswer {
  readonly delivered: boolean;
  readonly give_up: boolean;
  readonly wait_seconds: number;
}

/** Nothing is left to do; also the answer for an export without a webhook, and for a job the client cancelled. */
const done: DeliverAnswer = { delivered: true, give_up: false, wait_seconds: 0 };
const givenUp: DeliverAnswer = { delivered: false, give_up: true, wait_seconds: 0 };

/**
 * Makes one attempt to tell an export's webhook that its job ended, and notes what came of it. Every attempt carries the
 * same message id, so a receiver that acted although its answer was lost can tell the repetition. Throws while the job
 * is still running: a notice must not be earlier than the file.
 */
export const deliverWebhook = async (deps: DeliverDeps, ref: JobRef): Promise<DeliverAnswer> => {
  const { value: job } = await requireJob(deps.exports, ref);
  if (isOpen(job)) throw new Error('exports: the job has not ended');
  const before = job.status === 'cancelled' ? undefined : await deps.exports.delivery(ref);
  if (!before || before.value.state === 'delivered') return done;
  if (before.value.state === 'given_up') return givenUp;
  const call = await callFor(deps, job);
  const started = deps.clock();
  const after = afterAttempt(before.value, await deps.send(call), started, deps.clock());
  const outcome = await deps.exports.updateDelivery(ref, before.w, after);
  // Another attempt noted its result in between: what it noted stands.
  const stands = outcome === 'applied' ? after : (await deps.exports.delivery(ref))?.value;
  return stands ? answerOf(stands, deps.clock()) : done;
};

const callFor = async ({ exports, keyService, clock, scopeOf, baseUrl }: DeliverDeps, job: ExportJob) => {
  const { webhook_url, webhook_secret } = await requireDefinition(exports, job);
  if (webhook_url === null || webhook_secret === null)
    throw new Error('exports: a delivery without a webhook');
  const secret = await keyService.decrypt(webhook_secret, secretContext(job.property, job.export));
  const now = clock();
  const { keys } = await scopeOf(job.property);
  const body = webhookBody(job, locationOf({ baseUrl, key: keys.downloads, now }, job, job.file));
  return { url: webhook_url, headers: signedHeaders(secret, { id: messageId(job), now, body }), body };
};

/** How the delivery stands after an attempt. Any 2xx is success. */
const afterAttempt = (
  before: ExportDelivery,
  outcome: SendOutcome,
  started: number,
  now: number,
): ExportDelivery => {
  const attempts = before.attempts + 1;
  const first = before.first_attempt ?? started;
  const attempted = { ...before, attempts, first_attempt: first, last_attempt: started };
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300)
    return { ...attempted, state: 'delivered', last_error: null, next_attempt: null, delivered: now };
  const retryAfter = outcome.kind === 'answered' ? outcome.retryAfter : undefined;
  const next = nextAttempt({ attempts, first, now, retryAfter });
  const last_error = errorOf(outcome);
  return next === undefined
    ? { ...attempted, state: 'given_up', last_error, next_attempt: null }
    : { ...attempted, state: 'retrying', last_error, next_attempt: next };
};

const errorOf = (outcome: SendOutcome): string => {
  switch (outcome.kind) {
    case 'answered':
      return `answered ${outcome.status}`;
    case 'refused':
      return 'the address leads to a private target';
    case 'failed':
      return outcome.reason;
  }
};

const answerOf = ({ state, next_attempt }: ExportDelivery, now: number): DeliverAnswer => {
  if (state === 'delivered') return done;
  if (state === 'given_up') return givenUp;
  const wait = Math.max(1, Math.ceil(((next_attempt ?? now) - now) / 1000));
  return { delivered: false, give_up: false, wait_seconds: wait };
};
