/** `askEnricher`: sends a signed question to an enricher, for `enrich`. */
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import type { KeyService } from '../runtime/ports.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { SendOutcome, WebhookSender } from '../webhooks/sender.ts';
import { signedHeaders } from '../webhooks/signature.ts';
import { secretContext, type Enricher } from './enrichers.ts';
import type { EnrichmentRequested } from './enrichment-call.ts';
import type { Question } from './enrichment-question.ts';

export interface AskDeps {
  /** Sends a request, and returns the body of the answer. */
  readonly send: WebhookSender;
  /** Decrypts the secret of an enricher. */
  readonly secretOf: (property: number, enricher: Enricher) => Promise<Uint8Array>;
  readonly clock: Clock;
}

/** Number of decrypted secrets that a process caches. */
const OPEN_SECRETS = 1_000;

/** Decrypts secrets with KMS, and caches them. */
export const secretOpener = (keyService: Pick<KeyService, 'decrypt'>): AskDeps['secretOf'] => {
  const opened = new BoundedMap<string, Uint8Array>(OPEN_SECRETS);
  return async (property, { name, secret }) => {
    const sealed = Buffer.from(secret).toString('base64');
    const known = opened.get(sealed);
    if (known) return known;
    const plain = await keyService.decrypt(secret, secretContext(property, name));
    opened.set(sealed, plain);
    return plain;
  };
};

/** A question to an enricher, with its id. */
export interface EnrichmentRequest {
  readonly property: number;
  readonly enricher: Enricher;
  readonly question: Question;
  readonly id: string;
}

/** The body of an answer; `undefined` when the enricher does not know the person. The failure is a code for the log. */
export type AnswerBody = Result<Buffer | undefined, string>;

/**
 * Sends a question to an enricher as a signed request. Throws on a transient failure (no answer, 408, 425, 429 and
 * 5xx), so that the queue delivers the question again. Any other status except 200 and 204 is a permanent failure.
 */
export const askEnricher = async (
  { send, secretOf, clock }: AskDeps,
  { property, enricher, question, id }: EnrichmentRequest,
): Promise<AnswerBody> => {
  const body = questionBody(property, id, question);
  const headers = signedHeaders(await secretOf(property, enricher), { id, now: clock(), body });
  const answered = classify(await send({ url: enricher.url, headers, body }));
  if (answered.kind === 'transient')
    // No `UnavailableError`: an enricher that stays down is a matter for its operator, so it uses up the receives.
    throw new Error(`enrichment: ${enricher.name} of ${property}: ${answered.reason}`);
  return answered.result;
};

/** The body of the request to an enricher. */
const questionBody = (property: number, id: string, { identities, token }: Question): string =>
  JSON.stringify({
    type: 'enrichment.requested',
    request_id: id,
    property_id: property,
    ...(token === undefined ? {} : { social_token: token }),
    identities: Object.fromEntries(identities.map(({ kind, value }) => [kind, value])),
  } satisfies EnrichmentRequested);

const transientStatuses = new Set([408, 425, 429]);

type Verdict =
  | { readonly kind: 'transient'; readonly reason: string }
  | { readonly kind: 'final'; readonly result: AnswerBody };

const classify = (outcome: SendOutcome): Verdict => {
  if (outcome.kind === 'refused')
    return { kind: 'transient', reason: 'the address resolves to a private target' };
  if (outcome.kind === 'failed') return { kind: 'transient', reason: outcome.reason };
  const { status, body } = outcome;
  if (status >= 500 || transientStatuses.has(status))
    return { kind: 'transient', reason: `answered ${status}` };
  if (status === 204) return { kind: 'final', result: ok(undefined) };
  if (status !== 200) return { kind: 'final', result: err(`answered_${status}`) };
  return { kind: 'final', result: body ? ok(body) : err('answer_too_large') };
};
