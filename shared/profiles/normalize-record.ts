/**
 * Record normaliser: validates a record as a whole and turns it into a `ProfilePatch`, for requests, batches and files.
 */
import { limits } from '../config/limits.ts';
import type { BodyRule } from '../http/body-rule.ts';
import type { ProblemError } from '../http/problem.ts';
import { check, validRest } from '../http/schema-faults.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { identityKinds } from '../table/keys.ts';
import { extraPairs } from './extra-data.ts';
import { utcTimeOf } from '../http/text.ts';
import { addressParts, attributeNames, type AttributeName } from './fields.ts';
import type { ProfilePatch, RemovedTag, SentConsent } from './profile-patch.ts';
import { recordSchema, type SentRecord } from './record-schema.ts';
import { fault, faultOf, problemError, type Fault } from './record-fault.ts';
import { tiers, type Identity, type Tag, type Tier } from './types.ts';

/** The context that decides how a record is read. */
export interface RecordContext {
  /** Epoch milliseconds. No birthday may be later than this day (UTC). */
  readonly now: number;
  /** Trust of a record that has no `attribute_source`. */
  readonly tier: Tier;
}

/**
 * Validates and normalises a record as sent. Batches and files use this function; `POST profiles` applies the
 * same schema and then `patchOf`, so the rules exist once. Returns the patch or the faults; no fault contains a
 * refused value.
 */
export const normalizeRecord = (
  input: unknown,
  context: RecordContext,
): Result<ProfilePatch, readonly Fault[]> => {
  const checked = check(recordSchema, input);
  if (checked.ok) return patchOf(checked.value, context);
  return err([...checked.faults.map(faultOf), ...faultsOfRest(input, checked.faults, context)]);
};

/** The rules of a record over several fields, for a body of `POST profiles` with faults. */
export const recordRule: BodyRule = (sent, now) => {
  const context = { now, tier: tiers.stated };
  const checked = check(recordSchema, sent);
  const faults = checked.ok ? faultsIn(checked.value, context) : faultsOfRest(sent, checked.faults, context);
  return faults.map(problemError);
};

/**
 * The faults that rules over several fields find in a record whose fields are partly at fault: in its other fields, all of
 * which are optional. An identity that is at fault is not missing.
 */
const faultsOfRest = (
  input: unknown,
  known: readonly ProblemError[],
  context: RecordContext,
): readonly Fault[] => {
  const { rest, faulty } = validRest(recordSchema, input, known);
  if (!rest) return [];
  const faults = faultsIn(rest, context);
  return identityKinds.some((kind) => faulty.has(kind))
    ? faults.filter((one) => one !== missingIdentity)
    : faults;
};

const faultsIn = (sent: SentRecord, context: RecordContext): readonly Fault[] => {
  const patch = patchOf(sent, context);
  return patch.ok ? [] : patch.error;
};

/** Turns a record that fits its schema into a patch, or returns the faults that concern several fields. */
export const patchOf = (
  sent: SentRecord,
  { now, tier }: RecordContext,
): Result<ProfilePatch, readonly Fault[]> => {
  const extra = sent.extra_data ? extraPairs(sent.extra_data) : undefined;
  const tags = sent.tags?.flatMap(({ datetime, tag }) => tag.map((name): Tag => ({ tag: name, datetime })));
  const removedTags = removedTagsOf(sent);
  const identities = identitiesOf(sent);
  const faults = [
    ...(identities.length === 0 ? [missingIdentity] : []),
    ...addressConflicts(sent),
    ...futureBirthday(sent, now),
    ...futureConsent(sent, now),
    ...(tags && tags.length > limits.profiles.tags ? [tooManyTags('tags')] : []),
    ...(removedTags.length > limits.profiles.tags ? [tooManyTags('remove_tags')] : []),
    ...(extra?.faults ?? []),
  ];
  if (faults.length > 0) return err(faults);
  return ok({
    tier: tierOf(sent) ?? tier,
    identities,
    attributes: attributesOf(sent),
    ...(sent.extra_data === null && { extra: null }),
    ...(extra && { extra: extra.pairs }),
    ...(sent.tags === null && { tags: null }),
    ...(tags && { tags }),
    ...(removedTags.length > 0 && { removedTags }),
    ...(sent.tags_mode === 'replace' && tags && { replacesTags: true }),
    ...setsOf(sent),
    ...(sent.consent && sent.consent.length > 0 && { consent: consentOf(sent.consent) }),
    ...(sent.social_token ? { socialToken: sent.social_token } : {}),
  });
};

const missingIdentity = fault(
  [],
  'identity_missing',
  'Needs a unique_id, an email or a social_id to say whose record it is.',
);
const tooManyTags = (field: 'tags' | 'remove_tags'): Fault =>
  fault([field], 'too_many', `Must have at most ${limits.profiles.tags} tags.`);

const removedTagsOf = ({ remove_tags }: SentRecord): readonly RemovedTag[] =>
  (remove_tags ?? []).flatMap((removed): readonly RemovedTag[] =>
    typeof removed === 'string'
      ? [{ tag: removed, datetime: undefined }]
      : removed.tag.map((tag) => ({ tag, datetime: removed.datetime })),
  );

const identitiesOf = (sent: SentRecord): readonly Identity[] => {
  const identities: Identity[] = [];
  for (const kind of identityKinds) {
    const value = sent[kind];
    if (value !== undefined && value !== '') identities.push({ kind, value });
  }
  return identities;
};

const tierOf = ({ attribute_source: source }: SentRecord): Tier | undefined =>
  source === undefined || source === '' ? undefined : tiers[source];

const isSupplied = (value: string | null | undefined): value is string | null =>
  value !== undefined && value !== '';

const addressConflicts = (sent: SentRecord): readonly Fault[] => {
  const { address } = sent;
  if (!address) return [];
  return addressParts
    .filter(
      ({ part, name }) => isSupplied(address[part]) && isSupplied(sent[name]) && address[part] !== sent[name],
    )
    .map(({ part, name }) =>
      fault(['address', part], 'conflicting_values', `Differs from ${name}, which is the same attribute.`),
    );
};

const futureBirthday = ({ birthday }: SentRecord, now: number): readonly Fault[] => {
  if (!birthday || birthday <= new Date(now).toISOString().slice(0, 10)) return [];
  return [fault(['birthday'], 'out_of_range', 'Must not lie in the future.')];
};

/** A consent of the future would outrank every statement until then. */
const futureConsent = ({ consent = [] }: SentRecord, now: number): readonly Fault[] => {
  const latest = utcTimeOf(now + limits.profiles.consentAheadSeconds * 1000);
  return consent.flatMap(({ datetime }, index) =>
    datetime !== undefined && datetime > latest
      ? [fault(['consent', index, 'datetime'], 'out_of_range', 'Must not lie in the future.')]
      : [],
  );
};

const consentOf = (sent: NonNullable<SentRecord['consent']>): readonly SentConsent[] =>
  sent.map(({ channel, state, datetime, source }) => ({
    channel,
    state,
    datetime,
    source: source === undefined || source === '' ? null : source,
  }));

const attributesOf = (sent: SentRecord): ProfilePatch['attributes'] => {
  const attributes: Partial<Record<AttributeName, string | number | null>> = {};
  if (sent.address !== undefined) {
    for (const { part, name } of addressParts) {
      // `address: null` clears every part.
      const value = sent.address === null ? null : sent.address[part];
      if (isSupplied(value)) attributes[name] = value;
    }
  }
  for (const name of attributeNames) {
    const value = sent[name];
    if (value !== undefined && value !== '') attributes[name] = value;
  }
  return attributes;
};

const setsOf = ({ social_likes: likes, source }: SentRecord): Pick<ProfilePatch, 'likes' | 'labels'> => ({
  ...(likes === null && { likes }),
  ...(likes && { likes: likes.map(({ id }) => id) }),
  ...(source === null && { labels: source }),
  ...(source && { labels: labelsOf(source) }),
});

const labelsOf = (source: string): readonly string[] =>
  source
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
