/** `readAnswer`: parses the answer of an enricher into records, for `enrich`. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { isObject, parseJsonBody } from '../http/json.ts';
import { check } from '../http/schema-faults.ts';
import { hasIdentity, type AcceptedRecord } from '../profiles/contribution.ts';
import { normalizeRecord } from '../profiles/normalize-record.ts';
import { enricherOrigin } from '../profiles/profile-state.ts';
import { tiers } from '../profiles/types.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Enricher } from './enrichers.ts';
import type { Question } from './enrichment-question.ts';

const answer = v.object({
  values: v.pipe(v.array(v.unknown()), v.maxLength(limits.enrichment.valuesPerAnswer)),
});
const entry = v.strictObject({
  tier: v.string(),
  fields: v.custom<Readonly<Record<string, unknown>>>(isObject),
});

/** A parsed answer: the records to store, and a code for each refused entry. */
export interface ParsedAnswer {
  readonly records: readonly AcceptedRecord[];
  readonly refused: readonly string[];
}

/** The context of an answer: its enricher, its question and the present time (epoch milliseconds). */
interface AnswerContext {
  readonly enricher: Pick<Enricher, 'name' | 'tiers'>;
  readonly question: Question;
  readonly now: number;
}

/**
 * Parses an answer into records of the person in the question. Each entry is accepted or refused as a whole. All
 * records get the version of the record that led to the question. So a repeated answer changes nothing, and a newer
 * record of the same enricher stays newer. An empty body has no entries. The failure is a code.
 */
export const readAnswer = (
  body: Buffer | undefined,
  context: AnswerContext,
): Result<ParsedAnswer, string> => {
  if (!body) return ok({ records: [], refused: [] });
  const json = parseJsonBody(body);
  if (!json.ok) return err('not_json');
  const read = check(answer, json.value);
  if (!read.ok) return err('wrong_shape');
  const records: AcceptedRecord[] = [];
  const refused: string[] = [];
  for (const value of read.value.values) {
    const record = recordOf(value, context);
    if (record.ok) records.push(record.value);
    else refused.push(record.error);
  }
  return ok({ records, refused });
};

/** Fields that an answer must not set: the identities, the token, and the tier, which has a place of its own. */
const forbiddenFields = ['unique_id', 'email', 'social_token', 'attribute_source'];

/** A placeholder, because a record needs an identity. The identities of the question are added unchanged. */
const ANCHOR = { unique_id: 'asked' };

const recordOf = (
  value: unknown,
  { enricher, question, now }: AnswerContext,
): Result<AcceptedRecord, string> => {
  const read = check(entry, value);
  if (!read.ok) return err('wrong_shape');
  const { tier, fields } = read.value;
  const granted = enricher.tiers.find((name) => name === tier);
  if (granted === undefined) return err('tier_not_granted');
  if (forbiddenFields.some((name) => Object.hasOwn(fields, name))) return err('field_not_allowed');
  const { identities: asked } = question;
  const patch = normalizeRecord({ ...fields, ...ANCHOR }, { now, tier: tiers[granted] });
  if (!patch.ok) return err(patch.error[0]?.code ?? 'invalid');
  const found = patch.value.identities.filter(
    (identity) => identity.kind === 'social_id' && !hasIdentity(asked, identity),
  );
  return ok({ ...emptyAnswer(question), patch: { ...patch.value, identities: [...asked, ...found] } });
};

/** The answer that says nothing: it repeats the identities of the question, as statements of the record that raised it. */
export const emptyAnswer = ({
  enricher,
  identities,
  stamp,
  skipAppends,
  origin,
}: Question): AcceptedRecord => ({
  patch: { tier: tiers.stated, identities, attributes: {} },
  stamp,
  skipAppends,
  origin: enricherOrigin(enricher),
  answers: { identities, origin },
});
