import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { isStamp } from '../profiles/hybrid-timestamp.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Ids } from '../runtime/ids.ts';
import { tenantGroup, type QueueMessage } from '../runtime/ports.ts';
import { seal, unseal } from '../runtime/seal.ts';
import { identityKinds } from '../table/keys.ts';

const question = v.object({
  /** Name of the enricher that is asked. */
  enricher: v.string(),
  /** Those of the record, strongest first. */
  identities: v.array(v.object({ kind: v.picklist(identityKinds), value: v.string() })),
  token: v.exactOptional(v.string()),
  /** Stamp of the record, and of whatever is answered: so an answer that comes twice changes nothing. */
  stamp: v.pipe(v.string(), v.check(isStamp)),
  skipAppends: v.boolean(),
});
/** What one enricher is to be asked about one record. */
export type Question = Readonly<v.InferOutput<typeof question>>;

/** Body of a message of the queue of enrichments. All of the question is sealed: it tells who somebody is. */
export const enrichmentMessage = v.object({ v: v.literal(1), property: v.number(), sealed: v.string() });
export type EnrichmentMessage = v.InferOutput<typeof enrichmentMessage>;

const CONTEXT = 'tidemark/question/1';
const IV_BYTES = 12;
const ID_CHARACTERS = 32;

/** A question as a message of the queue. */
export const messageOf = ({ id, keys }: PropertyScope, ids: Ids, asked: Question): QueueMessage => {
  const sealed = seal(keys.tokens, Buffer.from(ids.hex(IV_BYTES), 'hex'), CONTEXT, JSON.stringify(asked));
  return {
    group: tenantGroup(id),
    body: JSON.stringify({
      v: 1,
      property: id,
      sealed: sealed.toString('base64'),
    } satisfies EnrichmentMessage),
  };
};

/**
 * The question of a message, and its id: the same for the same question, however often it is queued or delivered. Throws
 * when it does not open, which nobody can cause but by changing the queue or losing the property's key.
 */
export const openQuestion = (
  { keys }: PropertyScope,
  { sealed }: EnrichmentMessage,
): { readonly question: Question; readonly id: string } => {
  const text = unseal(keys.tokens, CONTEXT, Buffer.from(sealed, 'base64'));
  if (text === undefined) throw new Error('enrichment: a question does not open');
  const digest = createHmac('sha256', keys.claims).update(`${CONTEXT}\n${text}`).digest('base64url');
  return {
    question: v.parse(question, JSON.parse(text)),
    id: `enr_${digest.slice(0, ID_CHARACTERS)}`,
  };
};
