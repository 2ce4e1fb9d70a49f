/** Schemas of the profile routes: lookup queries and responses. */
import * as v from 'valibot';
import { recordWarningCode } from '../http/code-schemas.ts';
import { described, describedEntries, shownAs } from '../http/described.ts';
import { listUpTo } from '../http/bounded-list.ts';
import { emailFault, oddLetters } from '../http/email-fault.ts';
import { rule } from '../http/rule.ts';
import { isCleanIdentifier, uncleanDetail, fitsField, hasPlainCase, isEmail } from '../http/text.ts';
import { visibleText } from '../runtime/visible-text.ts';
import { canonicalEmail } from './email-form.ts';
import { includeList, includes, type Include, type PageInclude } from './include-schema.ts';
import { isPhoneKey } from './pointer-keys.ts';
import { likeEntries, provenanceAnswer, scalar, statement, tagEntries } from './provenance-schema.ts';
import { formerValues } from './former-values.ts';
import { disclosuresSchema } from './disclosures.ts';
import { shownObjection } from './objections.ts';
import { removedSchema } from './tombstone.ts';
import { fieldSentences } from './field-sentences.ts';
import { returnedFields } from './fields.ts';
import { foldText } from './fold-name.ts';
import { limits } from '../config/limits.ts';
import { allOf } from '../runtime/shortened.ts';

const identifier = v.pipe(
  v.string(),
  rule('bad_characters', isCleanIdentifier, uncleanDetail),
  v.transform(visibleText),
  rule<string>('wrong_format', (text) => text !== '' && fitsField(text), 'Must be 1 to 1,024 characters.'),
);

const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The identities that name a person, normalised as in records. Each is optional. */
export const identityNames = {
  email: described(
    'An e-mail address of the person. Its case does not matter.',
    v.optional(
      v.pipe(
        identifier,
        rule('not_an_email', hasPlainCase, oddLetters),
        v.toLowerCase(),
        v.transform(canonicalEmail),
        rule('not_an_email', isEmail, emailFault),
      ),
    ),
  ),
  unique_id: described('Your own id of the person.', v.optional(identifier)),
  social_id: described('An id of the person in a social network.', v.optional(identifier)),
};

const names = {
  ...identityNames,
  profile_uuid: described(
    'The id of the profile.',
    v.optional(
      v.pipe(
        v.string(),
        rule<string>('wrong_format', (text) => uuidForm.test(text), 'Must be a UUID.'),
        shownAs(v.pipe(v.string(), v.uuid())),
      ),
    ),
  ),
};
const unknownParameter = 'There is no such parameter.';

const plainNames = v.strictObject(names, unknownParameter);

/** The parameters that name a profile. */
export type LookupQuery = v.InferOutput<typeof plainNames>;

/** The rule that exactly one of these names is given. */
export const oneOf = <Query extends object>(parameters: readonly (keyof Query & string)[]) =>
  rule<Query>(
    'one_identity',
    (query) => parameters.filter((name) => query[name] !== undefined).length === 1,
    `Needs exactly one of ${allOf(parameters, 'and')}.`,
  );
const identifying = ['email', 'unique_id', 'social_id', 'profile_uuid'] as const;

/** Names one profile by exactly one parameter: an identity, normalised as in records, or the UUID. */
export const lookupQuery = v.pipe(plainNames, oneOf<LookupQuery>(identifying));

const trueOrFalse = v.pipe(
  v.picklist(['true', 'false']),
  v.transform((text) => text === 'true'),
  shownAs(v.boolean()),
);

/** `true` or `false` in a query. Without it, `false`. */
const flag = v.optional(trueOrFalse, 'false');

const namesAndRefusal = v.strictObject(
  {
    ...names,
    refuse_later: described(
      'Whether later records with an identity of the person are refused: an objection to storage for each identity, as `POST objections` makes it.',
      flag,
    ),
  },
  unknownParameter,
);

/** The query of a forgetting. */
export type ForgetQuery = v.InferOutput<typeof namesAndRefusal>;
export const forgetQuery = v.pipe(namesAndRefusal, oneOf<ForgetQuery>(identifying));

const namesAndPart = v.strictObject(
  {
    ...names,
    only: described(
      'What to answer in place of the file: `disclosures`, that part of it alone.',
      v.optional(v.picklist(['disclosures'])),
    ),
    redirect: described(
      'Whether the answer redirects to a file that is too large for it. With `false`, for callers that cannot follow a redirection to another host, the answer is 200 with the address of such a file.',
      v.optional(trueOrFalse, 'true'),
    ),
  },
  unknownParameter,
);

/** The query of an access request. */
export type AccessQuery = v.InferOutput<typeof namesAndPart>;
export const accessQuery = v.pipe(namesAndPart, oneOf<AccessQuery>(identifying));

const namesAndExplain = v.strictObject(
  {
    ...names,
    phone_number: described(
      'A phone number of the person with its country code, such as `+4930123456`. Write the plus sign as `%2B` in an address. If several people have the number, the answer is 409 with their ids.',
      v.optional(
        v.pipe(
          v.string(),
          // A plus sign in an address means a blank unless the client writes it as %2B.
          v.transform((text) => text.replace(/^ /, '+')),
          rule<string>(
            'wrong_format',
            isPhoneKey,
            'Must be a number with its country code, as +4930123456: a plus sign and 8 to 15 digits.',
          ),
        ),
      ),
    ),
    explain: described('Whether to add `provenance`, the source of every value.', flag),
    include: described(
      'What to add to the answer beside `profile`, each under its own name. Separate several by commas.',
      v.optional(includeList(includes)),
    ),
  },
  unknownParameter,
);

/** The same parameters, `explain`, which adds the source of each value, and `include`, which adds other values. */
export type ProfileQuery = v.InferOutput<typeof namesAndExplain>;
export const profileQuery = v.pipe(namesAndExplain, oneOf<ProfileQuery>([...identifying, 'phone_number']));

/** A profile as the API shows it: all fields, null when unknown. */
export const returnedProfile = v.strictObject(
  describedEntries(returnedFields, fieldSentences, v.nullable(v.string())),
);

const extraScalar = v.union([v.string(), v.number(), v.boolean()]);

/** Tags of a profile, as answers show them. */
export const shownTag = v.strictObject(tagEntries);

/** A page that a person likes, as answers show it. */
export const shownLike = v.strictObject(likeEntries);

/** The statement of consent that counts on a channel, as answers show it. */
export const shownConsent = v.strictObject({
  ...statement,
  source: described(
    'Where the person said so, in the words of the client. Null if unknown.',
    v.nullable(v.string()),
  ),
});

/** A segment of a profile, as answers show it. */
export const shownSegment = v.strictObject({
  id: described('The id of the segment.', v.pipe(v.number(), v.integer())),
  type: described('The type of the segment.', v.string()),
  name: described('The name of the segment.', v.string()),
});

/** What `include` adds of the values of a profile. */
const includedValues = {
  age: described(`${fieldSentences.age} Null if unknown.`, v.nullable(v.pipe(v.number(), v.integer()))),
  current_age: described(
    'The age by which segments decide: from the birthday on the UTC day of the request, or else `age`. Null if unknown.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
  country: described(`${fieldSentences.country} Null if unknown.`, v.nullable(v.string())),
  tags: described('The tags of the person.', v.array(shownTag)),
  social_likes: described('The pages that the person likes.', v.array(shownLike)),
  sources: described('The labels of where the records of the person came from.', v.array(v.string())),
  extra_data: described(
    'Further data about the person, under names of your choice.',
    v.record(v.string(), v.union([extraScalar, v.pipe(v.array(scalar), v.readonly())])),
  ),
  consent: described('The statement that counts on each channel.', v.array(shownConsent)),
} satisfies Readonly<Record<PageInclude, v.GenericSchema>>;

/** The members of an answer that a lookup asks for with `include`. */
const included = {
  ...includedValues,
  segments: described('The segments that the person is in.', v.array(shownSegment)),
} satisfies Readonly<Record<Include, v.GenericSchema>>;

/** A profile on a page: the 23 fields, and those values that the query asks for with `include`. */
export const listedProfile = v.strictObject({
  ...returnedProfile.entries,
  ...v.partial(v.object(includedValues)).entries,
});

const profileSentence = 'The profile. A field is null when it is unknown.';

/** Response of a lookup; `provenance` only when the query asks to explain. */
export const profileAnswer = v.strictObject({
  profile: described(profileSentence, returnedProfile),
  ...v.partial(v.object(included)).entries,
  provenance: described(
    'The source of every value. Only with `explain=true`.',
    v.exactOptional(provenanceAnswer),
  ),
});

const hasLetters = rule<string>(
  'wrong_format',
  (text) => foldText(text) !== '' && fitsField(text),
  'Must have a letter or a digit, and at most 1,024 characters.',
);

const nameText = v.pipe(v.string(), v.transform(visibleText), hasLetters);

/** The query of a search by name. */
export const peopleQuery = v.strictObject(
  {
    last_name: described(
      'The last name of the person, or how it begins: three letters or more. A shorter name is searched for as a whole. Case, accents, blanks and hyphens do not count, and `ü` and `ue` are the same.',
      nameText,
    ),
    first_name: described('The first name of the person, or how it begins.', v.optional(nameText)),
    city: described('The town of the person, or how it begins.', v.optional(nameText)),
  },
  unknownParameter,
);
export type PeopleQuery = v.InferOutput<typeof peopleQuery>;

/** The people whom a search by name has found. */
export const peopleAnswer = v.strictObject({
  profiles: described(
    `The people who show the name now, those who were stored first before others: at most ${limits.names.people}.`,
    listUpTo(limits.names.people, returnedProfile),
  ),
  complete: described('Whether these are all.', v.boolean()),
  advice: described(
    'How to see the others, in one sentence. Null if there are none.',
    v.nullable(v.string()),
  ),
});

const shownDisclosures = described(
  'Who may have got the data of the person in the last 30 days.',
  disclosuresSchema,
);

/** Everything about one person, as a file. */
export const accessAnswer = v.strictObject({
  property: described('The id of the property.', v.pipe(v.number(), v.integer())),
  created: described('When the file was made.', v.pipe(v.string(), v.isoTimestamp())),
  stored: described(
    'When the profile was written.',
    v.strictObject({
      first: described(
        'The first time. Null for a profile that an earlier release stored, which did not keep it.',
        v.nullable(v.pipe(v.string(), v.isoTimestamp())),
      ),
      last: described(
        'The last time that a value was written. An objection is no such time.',
        v.pipe(v.string(), v.isoTimestamp()),
      ),
    }),
  ),
  profile: described(profileSentence, returnedProfile),
  ...included,
  provenance: described('The source of every value, erased values included.', provenanceAnswer),
  moments: described(
    'The moments of timelines that the person is in.',
    v.array(
      v.strictObject({
        segment: described('The id of the moment, which is a segment.', v.pipe(v.number(), v.integer())),
        timeline: described('The id of the timeline of the moment.', v.pipe(v.number(), v.integer())),
      }),
    ),
  ),
  objections: described('The objections of the identities of the person.', v.array(shownObjection)),
  former: described(
    'Values of the last 30 days that imports have replaced, as far as they are still kept.',
    formerValues,
  ),
  disclosures: shownDisclosures,
});

/** Where a large file about one person is. */
export const accessLocation = v.strictObject({
  location: described('The address of the file. It opens without a token.', v.string()),
  expires: described('Until when it opens.', v.pipe(v.string(), v.isoTimestamp())),
});

/** Who may have got the data of one person, without the rest of the file. */
export const accessDisclosures = v.strictObject({ disclosures: shownDisclosures });

/** The file, or what a request asks for in its place. */
export const accessAnswers = v.union([accessAnswer, accessLocation, accessDisclosures]);

/** Response of a created or updated profile. */
export const storedAnswer = v.strictObject({
  profile_uuid: described(fieldSentences.profile_uuid, v.pipe(v.string(), v.uuid())),
  warnings: described(
    'What the service did not store as sent. Left out if there is nothing to say.',
    v.optional(
      v.array(
        v.strictObject({
          code: described('The stable code of the warning.', recordWarningCode),
          detail: described('What happened, in one sentence.', v.string()),
        }),
      ),
    ),
  ),
});

/** Response of a forgotten profile: the number of removed items of each kind. */
export const forgottenAnswer = v.strictObject({
  profile_uuid: described('The id of the forgotten profile.', v.pipe(v.string(), v.uuid())),
  removed: described('The number of removed items of each kind.', removedSchema),
  disclosures: described(
    'Who may have got the data of the person in the last 30 days, before the forgetting.',
    disclosuresSchema,
  ),
  refused_identities: described(
    'The number of identities of the person with which later records are refused. Only with `refuse_later=true`.',
    v.exactOptional(v.pipe(v.number(), v.integer())),
  ),
});
