/** Schemas of the profile routes: lookup queries and responses. */
import * as v from 'valibot';
import { rule } from '../http/rule.ts';
import { isCleanIdentifier, uncleanDetail } from '../http/text.ts';
import { fitsField, hasPlainCase, isEmail } from './text-rules.ts';
import { removedSchema } from './tombstone.ts';
import { returnedFields } from './fields.ts';
import { tierNames } from './types.ts';

const identifier = v.pipe(
  v.string(),
  v.trim(),
  rule('bad_characters', isCleanIdentifier, uncleanDetail),
  rule<string>('wrong_format', (text) => text !== '' && fitsField(text), 'Must be 1 to 1,024 characters.'),
);

const notAnEmail = 'Must be an e-mail address.';
const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const names = {
  email: v.optional(
    v.pipe(
      identifier,
      rule('not_an_email', hasPlainCase, notAnEmail),
      v.toLowerCase(),
      rule('not_an_email', isEmail, notAnEmail),
    ),
  ),
  unique_id: v.optional(identifier),
  social_id: v.optional(identifier),
  profile_uuid: v.optional(
    v.pipe(
      v.string(),
      rule<string>('wrong_format', (text) => uuidForm.test(text), 'Must be a UUID.'),
    ),
  ),
};
const unknownParameter = 'There is no such parameter.';

const plainNames = v.strictObject(names, unknownParameter);

/** The parameters that name a profile. */
export type LookupQuery = v.InferOutput<typeof plainNames>;

const oneName = <Query extends LookupQuery>() =>
  rule<Query>(
    'one_identity',
    ({ email, unique_id, social_id, profile_uuid }) =>
      [email, unique_id, social_id, profile_uuid].filter((value) => value !== undefined).length === 1,
    'Needs exactly one of email, unique_id, social_id and profile_uuid.',
  );

/** Names one profile by exactly one parameter: an identity, normalised as in records, or the UUID. */
export const lookupQuery = v.pipe(plainNames, oneName());

const namesAndExplain = v.strictObject(
  {
    ...names,
    explain: v.optional(
      v.pipe(
        v.picklist(['true', 'false']),
        v.transform((text) => text === 'true'),
      ),
      'false',
    ),
  },
  unknownParameter,
);

/** The same parameters and `explain`, which adds the source of each value to the response. */
export const profileQuery = v.pipe(namesAndExplain, oneName());
export type ProfileQuery = v.InferOutput<typeof profileQuery>;

/** A profile as the API shows it: all fields, null when unknown. */
export const returnedProfile = v.strictObject(v.entriesFromList(returnedFields, v.nullable(v.string())));

/** The source of a value. */
export const mark = {
  tier: v.picklist(Object.values(tierNames)),
  /** `api`, `enricher:` with its name, or `import:` with the id of the definition that delivered the value. */
  source: v.string(),
  /** The job of that import; `null` for other sources. */
  job: v.nullable(v.pipe(v.number(), v.integer())),
  stamp: v.pipe(v.string(), v.isoTimestamp()),
};
const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);
const provenValues = v.array(
  v.strictObject({
    value: v.union([scalar, v.pipe(v.array(scalar), v.readonly())]),
    ...mark,
    won: v.boolean(),
  }),
);

/** The source of every value; each list has the most trusted value first, then the newest. */
export const provenanceAnswer = v.strictObject({
  fields: v.record(v.string(), provenValues),
  extra_data: v.record(v.string(), provenValues),
  tags: v.array(v.strictObject({ tag: v.string(), datetime: v.string(), ...mark })),
  social_likes: v.array(v.strictObject({ id: v.string(), ...mark })),
  sources: v.array(v.strictObject({ label: v.string(), ...mark })),
  /** Sets that a record cleared: all older values of the same tier are gone. */
  erased: v.array(
    v.strictObject({ what: v.picklist(['extra_data', 'tags', 'social_likes', 'sources']), ...mark }),
  ),
});
export type Provenance = v.InferOutput<typeof provenanceAnswer>;

/** Response of a lookup; `provenance` only when the query asks to explain. */
export const profileAnswer = v.strictObject({
  profile: returnedProfile,
  provenance: v.exactOptional(provenanceAnswer),
});

/** Response of a created or updated profile. */
export const storedAnswer = v.strictObject({
  profile_uuid: v.pipe(v.string(), v.uuid()),
  warnings: v.optional(v.array(v.strictObject({ code: v.string(), detail: v.string() }))),
});

/** Response of a forgotten profile: the number of removed items of each kind. */
export const forgottenAnswer = v.strictObject({
  profile_uuid: v.pipe(v.string(), v.uuid()),
  removed: removedSchema,
});
