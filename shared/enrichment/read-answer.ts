import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { isObject, parseJsonBody } from '../http/json.ts';
import { check } from '../http/schema-faults.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
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

/** What is taken of an answer: records to be stored, and for each entry that is not taken the code of why. */
export interface ParsedAnswer {
  readonly records: readonly AcceptedRecord[];
  readonly refused: readonly string[];
}

/** What an answer must keep to: its enricher's tiers, and today's date (epoch milliseconds). */
interface AnswerContext {
  readonly enricher: Pick<Enricher, 'name' | 'tiers'>;
  readonly question: Question;
  readonly now: number;
}

/**
 * Reads an answer into records of the person who was asked about: each entry is taken or refused as a whole. All have the
 * stamp of the record that caused the question, so that an answer that comes twice changes nothing and a newer record of
 * the same enricher stays the newer one. No body says nothing. The failure is a code.
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

/** Fields of a record that no answer sets: whose the record is, whom to ask, and the trust, which stands beside them. */
const withheld = ['unique_id', 'email', 'social_token', 'attribute_source'];
/** A record needs an identity; in the place of those of the question, which are added as they are. */
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
  if (withheld.some((name) => Object.hasOwn(fields, name))) return err('field_not_allowed');
  const { identities: asked, stamp, skipAppends } = question;
  const patch = normalizeRecord({ ...fields, ...ANCHOR }, { now, tier: tiers[granted] });
  if (!patch.ok) return err(patch.error[0]?.code ?? 'invalid');
  const found = patch.value.identities.filter(
    ({ kind, value }) =>
      kind === 'social_id' && !asked.some((one) => one.kind === kind && one.value === value),
  );
  const origin = enricherOrigin(enricher.name);
  return ok({ patch: { ...patch.value, identities: [...asked, ...found] }, stamp, skipAppends, origin });
};
