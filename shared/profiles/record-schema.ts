/** Record schema: validates and normalises each field of a record, for `POST profiles` and for batches. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { isObject } from '../http/json.ts';
import { readOnlyFields } from '../edge/read-only.ts';
import { described, describedEntries, shownAs } from '../http/described.ts';
import { emailFault, oddLetters } from '../http/email-fault.ts';
import { rule } from '../http/rule.ts';
import {
  isCleanIdentifier,
  isCleanText,
  uncleanDetail,
  fitsField,
  hasPlainCase,
  isCalendarDate,
  isEmail,
  readUtcTime,
  readYesOrNo,
} from '../http/text.ts';
import { visibleText } from '../runtime/visible-text.ts';
import { consentFilter } from './consent-schema.ts';
import { canonicalEmail } from './email-form.ts';
import { addressSentences, recordSentenceOf } from './field-sentences.ts';
import { addressParts, kindOfField, sentFields, type KindOf, type SentField } from './fields.ts';

const string = v.string('Must be a string.');
const nonObject = 'Must be a JSON object.';
const unknownField = 'There is no such field.';
const clean = rule('bad_characters', isCleanText, uncleanDetail);
const cleanIdentifier = rule('bad_characters', isCleanIdentifier, uncleanDetail);
const short = rule<string>(
  'too_long',
  fitsField,
  (text) => `Must be at most ${limits.profiles.stringLength} characters, and has ${Array.from(text).length}.`,
);
const notEmpty = rule<string>('empty', (text) => text !== '', 'Must not be empty.');

/** Empty texts mean "not supplied", so every rule accepts them. */
const orEmpty =
  (holds: (text: string) => boolean) =>
  (text: string): boolean =>
    text === '' || holds(text);

const shownText = shownAs<string>(v.pipe(v.string(), v.maxLength(limits.profiles.stringLength)));
const text = v.nullable(v.pipe(string, clean, short, shownText));
const identifier = v.pipe(string, cleanIdentifier, v.transform(visibleText), short, shownText);
const email = v.pipe(
  string,
  cleanIdentifier,
  v.transform(visibleText),
  rule('not_an_email', hasPlainCase, oddLetters),
  v.toLowerCase(),
  v.transform(canonicalEmail),
  rule('not_an_email', orEmpty(isEmail), emailFault),
  shownAs(v.pipe(v.string(), v.maxLength(limits.profiles.emailLength))),
);
const birthday = v.nullable(
  v.pipe(
    string,
    rule('not_a_date', orEmpty(isCalendarDate), (day: string) =>
      /^\d{4}-\d\d-\d\d$/.test(day) ? 'There is no such day.' : 'Must be a date such as 1990-05-17.',
    ),
    rule(
      'out_of_range',
      orEmpty((day) => day >= '1800-01-01'),
      'Must be 1800-01-01 or later.',
    ),
    shownAs(v.pipe(v.string(), v.isoDate())),
  ),
);
const yesOrNo = v.nullable(
  v.pipe(
    string,
    rule(
      'not_allowed',
      orEmpty((word) => readYesOrNo(word) !== undefined),
      'Must be yes, no, y, n, true or false.',
    ),
    v.transform((word) => readYesOrNo(word) ?? ''),
  ),
);
const wholeAge = 'Must be a whole number, 0 to 150.';
const age = v.nullable(
  v.pipe(v.number(wholeAge), v.integer(wholeAge), v.minValue(0, wholeAge), v.maxValue(150, wholeAge)),
);

const plainObject = v.custom<Readonly<Record<string, unknown>>>(isObject, nonObject);
/** The parts of an address in a record. */
export const addressSchema = v.pipe(
  plainObject,
  v.strictObject(
    describedEntries(
      addressParts.map(({ part }) => part),
      addressSentences,
      v.optional(text),
    ),
    unknownField,
  ),
);
const address = v.nullable(addressSchema);

/** A list whose length is checked before its elements, so that a huge list costs nothing. */
const boundedList = <Item extends v.GenericSchema>(
  item: Item,
  most: number,
  notAList: v.ErrorMessage<v.ArrayIssue> = 'Must be an array.',
) =>
  v.pipe(
    v.array(v.unknown(), notAList),
    rule<unknown[]>('too_many', ({ length }) => length <= most, `Must have at most ${most} elements.`),
    v.array(item),
    v.maxLength(most),
  );
/** A list that `null` clears. */
const listOf = <Item extends v.GenericSchema>(item: Item, most: number) =>
  v.nullable(boundedList(item, most));
/** A liked page in a record. */
export const likeSchema = v.pipe(
  plainObject,
  v.strictObject(
    { id: described('The id of the page in its social network.', v.pipe(identifier, notEmpty)) },
    'Must be an object of the form {id}.',
  ),
);
/** A time in UTC. The output is written `YYYY-MM-DD HH:MM:SS`, the form of the contract. */
const utcTime = v.pipe(
  string,
  rule(
    'not_a_date',
    (time: string) => readUtcTime(time) !== undefined,
    'Must be a UTC time: 2026-11-22T09:00:00Z or 2026-11-22 09:00:00.',
  ),
  v.transform((time) => readUtcTime(time) ?? ''),
);
/** Tags with a time in a record. */
export const tagSchema = v.pipe(
  plainObject,
  v.strictObject(
    {
      datetime: described(
        'When the person got the tag: `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601 with `Z` or an offset.',
        utcTime,
      ),
      tag: described(
        'The texts of the tags, one or more.',
        v.pipe(
          v.array(v.pipe(string, clean, short, notEmpty), 'Must be an array of strings.'),
          rule<string[]>('empty', ({ length }) => length > 0, 'Must name a tag.'),
        ),
      ),
    },
    'Must be an object of the form {datetime, tag}.',
  ),
);

const tagText = v.pipe(
  v.string('Must be the text of a tag, for example "jazz", or an object of the form {datetime, tag}.'),
  clean,
  short,
  notEmpty,
);
const eitherTag = v.union([tagText, tagSchema]);
/** A tag to be removed: its text, or one entry of `tags`. A fault points at its exact place. */
const removedTag: v.GenericSchema<unknown, v.InferOutput<typeof eitherTag>> = v.lazy((input) => {
  if (input === undefined) return eitherTag;
  return isObject(input) ? tagSchema : tagText;
});

const consentEntries = {
  ...consentFilter.entries,
  datetime: described(
    'When the person said so: `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601 with `Z` or an offset. Without it, a single record says it now. Consent in a batch then counts only if the channel has no dated statement.',
    v.optional(utcTime),
  ),
  source: described(
    'Your label for the place where the person said so, such as box office.',
    v.nullish(
      v.pipe(
        string,
        clean,
        v.maxLength(
          limits.profiles.consentSourceLength,
          `Must be at most ${limits.profiles.consentSourceLength} characters.`,
        ),
      ),
    ),
  ),
};
const noErasure = 'Consent cannot be erased. Send the channel with the state withdrawn instead.';
/** A statement of consent in a record. */
export const consentSchema = v.pipe(
  plainObject,
  v.strictObject(consentEntries, 'Must be an object of the form {channel, state, datetime, source}.'),
);
const consents = boundedList(consentSchema, limits.profiles.consentChannels, ({ input }) =>
  input === null ? noErasure : 'Must be an array.',
);

// Clients may send read-only fields anywhere. The service ignores them and never stores them.
const ignored = v.optional(v.pipe(v.unknown(), shownAs(v.never())));
const readOnly = v.entriesFromList(readOnlyFields, described('Ignored: the service sets it.', ignored));

const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);
/** The form of the values of `extra_data` in the API document; `normalizeRecord` checks the values. */
const pairValue = v.union([scalar, v.array(scalar)]);

/** The rules of values, by the kind of a field. */
const valueSchemas = {
  identifier: v.optional(identifier),
  email: v.optional(email),
  text: v.optional(text),
  age: v.optional(age),
  birthday: v.optional(birthday),
  yesOrNo: v.optional(yesOrNo),
  address: v.optional(address),
  likes: v.optional(listOf(likeSchema, limits.profiles.likes)),
  tags: v.optional(listOf(tagSchema, limits.profiles.tags)),
  removedTags: v.optional(listOf(removedTag, limits.profiles.tags)),
  labels: v.optional(text),
  consent: v.optional(consents),
  pairs: v.optional(v.nullable(v.pipe(plainObject, shownAs(v.record(v.string(), pairValue))))),
};

type FieldEntries = { readonly [Name in SentField]: (typeof valueSchemas)[KindOf<Name>] };

/** Whether entries have a schema for every field that a client can send. */
const isComplete = (entries: object): entries is FieldEntries =>
  sentFields.every((name) => Object.hasOwn(entries, name));

const fieldEntries = (): FieldEntries => {
  const entries = Object.fromEntries(
    sentFields.map((name) => [
      name,
      described<v.GenericSchema>(recordSentenceOf(name), valueSchemas[kindOfField(name)]),
    ]),
  );
  if (!isComplete(entries)) throw new Error('profiles: a field has no schema');
  return entries;
};

/** An optional word of a list, or an empty text, which `normalizeRecord` counts as absent. The API document shows the list. */
const wordOrBlank = <const Word extends string>(words: readonly Word[], sentence: string) =>
  v.optional(v.pipe(v.picklist([...words, ''], sentence), shownAs(v.picklist(words))));

/**
 * A record as sent: the body of `POST profiles` and each record of `import-data`. The output is checked field
 * by field and normalised: identities without invisible characters, e-mail lower-cased, `has_children` as Yes or No.
 * `normalizeRecord` checks the rules that need several fields, the current date or the pairs of `extra_data`.
 */
export const recordSchema = v.pipe(
  plainObject,
  v.strictObject(
    {
      ...fieldEntries(),
      attribute_source: described(
        'The trust in the values of this record: `stated` by the person (the default), or from a `third_party`. Profiles show stated values before those of third parties.',
        wordOrBlank(['stated', 'third_party'], 'Must be stated or third_party.'),
      ),
      tags_mode: described(
        '`add` (the default) keeps older tags. `replace` removes all older tags that have the same source and the same trust.',
        wordOrBlank(['add', 'replace'], 'Must be add or replace.'),
      ),
      social_token: described(
        'A secret that an enricher of the property needs to ask a social network. It is sent to the enricher and never stored in the profile. No answer shows it.',
        v.optional(
          v.nullable(
            v.pipe(
              string,
              cleanIdentifier,
              v.maxBytes(
                limits.profiles.socialTokenBytes,
                `Must be at most ${limits.profiles.socialTokenBytes} bytes.`,
              ),
            ),
          ),
        ),
      ),
      ...readOnly,
    },
    unknownField,
  ),
);
export type SentRecord = v.InferOutput<typeof recordSchema>;
