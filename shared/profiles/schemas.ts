/** Schemas of the profile routes: lookup queries and responses. */
import * as v from 'valibot';
import { rule } from '../http/rule.ts';
import { shownAs } from '../http/shown-as.ts';
import { isCleanIdentifier, uncleanDetail } from '../http/text.ts';
import { consentStates } from './consent.ts';
import { isPhoneKey } from './phone-pointers.ts';
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
      shownAs(v.pipe(v.string(), v.uuid())),
    ),
  ),
};
const unknownParameter = 'There is no such parameter.';

const plainNames = v.strictObject(names, unknownParameter);

/** The parameters that name a profile. */
export type LookupQuery = v.InferOutput<typeof plainNames>;

const oneOf = <Query extends object>(parameters: readonly (keyof Query & string)[]) =>
  rule<Query>(
    'one_identity',
    (query) => parameters.filter((name) => query[name] !== undefined).length === 1,
    `Needs exactly one of ${parameters.slice(0, -1).join(', ')} and ${parameters.at(-1)}.`,
  );
const identifying = ['email', 'unique_id', 'social_id', 'profile_uuid'] as const;

/** Names one profile by exactly one parameter: an identity, normalised as in records, or the UUID. */
export const lookupQuery = v.pipe(plainNames, oneOf<LookupQuery>(identifying));

/** What a lookup can show besides the 23 fields, each under its own name in the answer. */
export const includes = [
  'age',
  'country',
  'tags',
  'social_likes',
  'sources',
  'extra_data',
  'consent',
  'segments',
] as const;
export type Include = (typeof includes)[number];

const isInclude = (name: string): name is Include => includes.some((include) => include === name);
const notIncludes = `Must be some of ${includes.join(', ')}, separated by commas.`;

/** A list of names in one text, as `include=tags,segments`. */
const includeList = v.pipe(
  v.string(),
  rule<string>('not_allowed', (text) => text.split(',').every(isInclude), notIncludes),
  v.transform((text): ReadonlySet<Include> => new Set(text.split(',').filter(isInclude))),
  shownAs(v.array(v.picklist(includes))),
);

const namesAndExplain = v.strictObject(
  {
    ...names,
    phone_number: v.optional(
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
    explain: v.optional(
      v.pipe(
        v.picklist(['true', 'false']),
        v.transform((text) => text === 'true'),
        shownAs(v.boolean()),
      ),
      'false',
    ),
    include: v.optional(includeList),
  },
  unknownParameter,
);

/** The same parameters, `explain`, which adds the source of each value, and `include`, which adds other values. */
export type ProfileQuery = v.InferOutput<typeof namesAndExplain>;
export const profileQuery = v.pipe(namesAndExplain, oneOf<ProfileQuery>([...identifying, 'phone_number']));

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
/** All values of a field, with the source of each. */
export const provenValues = v.array(
  v.strictObject({
    value: v.union([scalar, v.pipe(v.array(scalar), v.readonly())]),
    ...mark,
    won: v.boolean(),
  }),
);

/** `datetime` is null for consent of unknown date, which imports and enrichers report. */
const statement = {
  channel: v.string(),
  state: v.picklist(consentStates),
  datetime: v.nullable(v.string()),
};

/** The source of every value; each list has the most trusted value first, then the newest. */
export const provenanceAnswer = v.strictObject({
  fields: v.record(v.string(), provenValues),
  extra_data: v.record(v.string(), provenValues),
  tags: v.array(v.strictObject({ tag: v.string(), datetime: v.string(), ...mark })),
  /** Tags that a record removed: older tags of this text and tier are gone, with any datetime or with this one. */
  removed_tags: v.array(v.strictObject({ tag: v.string(), datetime: v.nullable(v.string()), ...mark })),
  /** Sources that replaced their tags: their older tags of the tier are gone. */
  replaced_tags: v.array(v.strictObject(mark)),
  social_likes: v.array(v.strictObject({ id: v.string(), ...mark })),
  sources: v.array(v.strictObject({ label: v.string(), ...mark })),
  /** Each source's newest statement on each channel; `label` is the place where it was said. */
  consent: v.array(
    v.strictObject({ ...statement, label: v.nullable(v.string()), ...mark, won: v.boolean() }),
  ),
  /** Sets that a record cleared: all older values of the same tier are gone. */
  erased: v.array(
    v.strictObject({ what: v.picklist(['extra_data', 'tags', 'social_likes', 'sources']), ...mark }),
  ),
});
export type Provenance = v.InferOutput<typeof provenanceAnswer>;

const extraScalar = v.union([v.string(), v.number(), v.boolean()]);

/** The members of an answer that a lookup asks for with `include`. */
const included = {
  age: v.exactOptional(v.nullable(v.number())),
  country: v.exactOptional(v.nullable(v.string())),
  tags: v.exactOptional(v.array(v.strictObject({ tag: v.string(), datetime: v.string() }))),
  social_likes: v.exactOptional(v.array(v.strictObject({ id: v.string() }))),
  sources: v.exactOptional(v.array(v.string())),
  extra_data: v.exactOptional(
    v.record(v.string(), v.union([extraScalar, v.pipe(v.array(scalar), v.readonly())])),
  ),
  consent: v.exactOptional(v.array(v.strictObject({ ...statement, source: v.nullable(v.string()) }))),
  segments: v.exactOptional(v.array(v.strictObject({ id: v.number(), type: v.string(), name: v.string() }))),
} satisfies Readonly<Record<Include, v.GenericSchema>>;

/** Response of a lookup; `provenance` only when the query asks to explain. */
export const profileAnswer = v.strictObject({
  profile: returnedProfile,
  ...included,
  provenance: v.exactOptional(provenanceAnswer),
});

/** Everything about one person, as a file. */
export const accessAnswer = v.strictObject({
  property: v.number(),
  created: v.pipe(v.string(), v.isoTimestamp()),
  profile: returnedProfile,
  ...v.required(v.object(included)).entries,
  provenance: provenanceAnswer,
  /** The moments of timelines with the person: each is a segment of its own. */
  moments: v.array(v.strictObject({ segment: v.number(), timeline: v.number() })),
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
