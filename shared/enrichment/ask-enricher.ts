import { UnavailableError } from '../runtime/aws-errors.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import type { KeyService } from '../runtime/ports.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { SendOutcome, WebhookSender } from '../webhooks/sender.ts';
import { signedHeaders } from '../webhooks/signature.ts';
import { secretContext, type Enricher } from './enrichers.ts';
import type { Question } from './enrichment-question.ts';

/** What asking an enricher needs. */
export interface AskDeps {
  /** Keeps the body of an answer. */
  readonly send: WebhookSender;
  /** Opens the secret of an enricher. */
  readonly secretOf: (property: number, enricher: Enricher) => Promise<Uint8Array>;
  readonly clock: Clock;
}

/** Secrets that a process keeps open. */
const OPEN_SECRETS = 1_000;

/** Opens secrets with KMS, once each. */
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

/** A question on its way to its enricher. */
export interface EnrichmentRequest {
  readonly property: number;
  readonly enricher: Enricher;
  readonly question: Question;
  readonly id: string;
}

/** The body of an answer; undefined when nothing is known of the person. The failure is a code for the log. */
export type AnswerBody = Result<Buffer | undefined, string>;

/**
 * Asks an enricher, by a signed call. Throws for what may pass by itself (nobody answers, 408, 425, 429 and 5xx), so that
 * the question comes again; any other answer than 200 and 204 is final.
 */
export const askEnricher = async (
  { send, secretOf, clock }: AskDeps,
  { property, enricher, question, id }: EnrichmentRequest,
): Promise<AnswerBody> => {
  const body = questionBody(property, id, question);
  const headers = signedHeaders(await secretOf(property, enricher), { id, now: clock(), body });
  const answered = answeredBy(await send({ url: enricher.url, headers, body }));
  if (answered.kind === 'passing')
    throw new UnavailableError(`enrichment: ${enricher.name} of ${property}: ${answered.reason}`);
  return answered.result;
};

/** The question as an enricher gets it. */
const questionBody = (property: number, id: string, { identities, token }: Question): string =>
  JSON.stringify({
    type: 'enrichment.requested',
    request_id: id,
    property_id: property,
    ...(token === undefined ? {} : { social_token: token }),
    identities: Object.fromEntries(identities.map(({ kind, value }) => [kind, value])),
  });

const passing = new Set([408, 425, 429]);

type Verdict =
  | { readonly kind: 'passing'; readonly reason: string }
  | { readonly kind: 'final'; readonly result: AnswerBody };

const answeredBy = (outcome: SendOutcome): Verdict => {
  if (outcome.kind === 'refused') return { kind: 'passing', reason: 'the address leads to a private target' };
  if (outcome.kind === 'failed') return { kind: 'passing', reason: outcome.reason };
  const { status, body } = outcome;
  if (status >= 500 || passing.has(status)) return { kind: 'passing', reason: `answered ${status}` };
  if (status === 204) return { kind: 'final', result: ok(undefined) };
  if (status !== 200) return { kind: 'final', result: err(`answered_${status}`) };
  return { kind: 'final', result: body ? ok(body) : err('answer_too_large') };
};
