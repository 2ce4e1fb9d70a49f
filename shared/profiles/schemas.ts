import * as v from 'valibot';
import { rule } from '../http/rule.ts';
import { isCleanIdentifier } from '../http/text.ts';
import { fitsField, isEmail } from './text-rules.ts';
import { returnedFields } from './types.ts';

const identifier = v.pipe(
  v.string(),
  v.trim(),
  rule('bad_characters', isCleanIdentifier, 'Holds control characters or broken surrogates.'),
  rule<string>('wrong_format', (text) => text !== '' && fitsField(text), 'Must be 1 to 1,024 characters.'),
);

const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const names = v.strictObject(
  {
    email: v.optional(
      v.pipe(identifier, v.toLowerCase(), rule('not_an_email', isEmail, 'Must be an e-mail address.')),
    ),
    unique_id: v.optional(identifier),
    social_id: v.optional(identifier),
    profile_uuid: v.optional(
      v.pipe(
        v.string(),
        rule<string>('wrong_format', (text) => uuidForm.test(text), 'Must be a UUID.'),
      ),
    ),
  },
  'There is no such parameter.',
);

/** Names one profile: exactly one of its identities, normalised as in records, or its UUID. */
export const lookupQuery = v.pipe(
  names,
  rule<v.InferOutput<typeof names>>(
    'one_identity',
    (query) => Object.values(query).filter((value) => value !== undefined).length === 1,
    'Needs exactly one of email, unique_id, social_id and profile_uuid.',
  ),
);
export type LookupQuery = v.InferOutput<typeof lookupQuery>;

/** A profile as the API shows it: all fields, null when unknown. */
export const returnedProfile = v.strictObject(v.entriesFromList(returnedFields, v.nullable(v.string())));

/** Answer of a lookup. */
export const profileAnswer = v.strictObject({ profile: returnedProfile });

/** Answer of a created or updated profile. */
export const storedAnswer = v.strictObject({
  profile_uuid: v.pipe(v.string(), v.uuid()),
  warnings: v.optional(v.array(v.strictObject({ code: v.string(), detail: v.string() }))),
});
