import * as v from 'valibot';
import { keyedHash } from '../profiles/identity-claims.ts';
import { isStamp } from '../runtime/hybrid-timestamp.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Ids } from '../runtime/ids.ts';
import { tenantGroup, type QueueMessage } from '../runtime/ports.ts';
import { seal, unseal } from '../runtime/seal.ts';
import { identityKinds } from '../table/keys.ts';

const questionShape = v.object({
  /** Name of the enricher. */
  enricher: v.string(),
  /** Identities of the record, strongest first. */
  identities: v.array(v.object({ kind: v.picklist(identityKinds), value: v.string() })),
  token: v.exactOptional(v.string()),
  /** Version of the record and of the answer, so that a repeated answer changes nothing. */
  stamp: v.pipe(v.string(), v.check(isStamp)),
  skipAppends: v.boolean(),
  /** Source of the record: see `profile-state.ts`. */
  origin: v.string(),
});

/** Question: a request to one enricher about one record. */
export type Question = Readonly<v.InferOutput<typeof questionShape>>;

/** Body of a message in the queue of enrichments. The question is sealed, because it identifies a person. */
export const enrichmentMessage = v.object({ v: v.literal(1), property: v.number(), sealed: v.string() });
export type EnrichmentMessage = v.InferOutput<typeof enrichmentMessage>;

const CONTEXT = 'tidemark/question/1';
const IV_BYTES = 12;
const ID_CHARACTERS = 32;

/** The message for a question. */
export const messageOf = ({ id, keys }: PropertyScope, ids: Ids, question: Question): QueueMessage => {
  const sealed = seal(keys.tokens, Buffer.from(ids.hex(IV_BYTES), 'hex'), CONTEXT, JSON.stringify(question));
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
 * Opens the question of a message. Its id is a hash, so a question keeps its id however often it is queued or
 * delivered. Throws when the seal does not open: the message was changed, or the key of the property is lost.
 */
export const openQuestion = (
  scope: PropertyScope,
  { sealed }: EnrichmentMessage,
): { readonly question: Question; readonly id: string } => {
  const text = unseal(scope.keys.tokens, CONTEXT, Buffer.from(sealed, 'base64'));
  if (text === undefined) throw new Error('enrichment: a question does not open');
  const digest = keyedHash(scope, CONTEXT, text);
  return {
    question: v.parse(questionShape, JSON.parse(text)),
    id: `enr_${digest.slice(0, ID_CHARACTERS)}`,
  };
};
