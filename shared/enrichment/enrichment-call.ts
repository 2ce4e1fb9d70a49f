/** Enrichment call: the request to an enricher, and the form of its answer. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { listUpTo } from '../http/bounded-list.ts';
import { described } from '../http/described.ts';
import { recordSchema } from '../profiles/record-schema.ts';
import { grantedTiers } from '../profiles/types.ts';
import type { IdentityKind } from '../table/keys.ts';

const identity = v.exactOptional(v.string());

/** The request: a question about the person of a record. */
export const enrichmentRequested = v.object({
  type: described('What happened.', v.literal('enrichment.requested')),
  request_id: described('The id of the question. The same question always has the same id.', v.string()),
  property_id: described('The id of the property.', v.pipe(v.number(), v.integer())),
  social_token: described('The social token of the record, if the enricher asks for it.', identity),
  identities: described(
    'The identities of the record.',
    v.object({
      unique_id: described('Your own id of the person.', identity),
      email: described('The e-mail address of the person.', identity),
      social_id: described('The id of the person in a social network.', identity),
    } satisfies Readonly<Record<IdentityKind, unknown>>),
  ),
});
export type EnrichmentRequested = v.InferOutput<typeof enrichmentRequested>;

/** The answer of an enricher, for the API document. `readAnswer` judges each entry by itself. */
export const enrichmentAnswer = v.object({
  values: described(
    'What the enricher knows. The service accepts or refuses each entry as a whole.',
    listUpTo(
      limits.enrichment.valuesPerAnswer,
      v.strictObject({
        tier: described(
          'The trust of the values: a tier that the operator granted.',
          v.picklist(grantedTiers),
        ),
        fields: described(
          'The values, as in a record. Only `social_id` may be sent of the identities.',
          v.omit(recordSchema.pipe[1], ['unique_id', 'email', 'social_token', 'attribute_source']),
        ),
      }),
    ),
  ),
});
