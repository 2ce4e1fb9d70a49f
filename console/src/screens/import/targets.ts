/** The fields that a column of a file can fill, and their words. */
import type { Texts } from '../../texts/en.ts';
import { wordFor } from '../../words.ts';

/** Fields that are offered for each column, the usual first. Other fields are set with the API or the command line. */
const offered = [
  'unique_id',
  'email',
  'social_id',
  'first_name',
  'last_name',
  'full_name',
  'gender',
  'birthday',
  'age',
  'phone_number',
  'street',
  'street2',
  'zipcode',
  'city',
  'state',
  'country',
  'tags',
  'remove_tags',
  'source',
  'consent.email',
  'consent.email.datetime',
  'consent.sms',
  'consent.phone',
  'consent.post',
  'has_children',
  'marital_status',
  'education_level',
  'household_income',
  'home_value',
  'home_owner_status',
  'ethnicity',
  'professional_id',
  'social_likes',
] as const;

const EXTRA = 'extra_data.';

/** The words of a target: of a field, of a channel of consent, or of extra data with its key. */
export const targetName = (texts: Texts, target: string): string => {
  const words = texts.import.target;
  if (target.startsWith(EXTRA)) return words.extra(target.slice(EXTRA.length));
  const [, channel, datetime] = /^consent\.([^.]+)(\.datetime)?$/.exec(target) ?? [];
  if (channel !== undefined) {
    const name = wordFor(texts, 'channel', channel);
    return datetime === undefined ? words.consent(name) : words.consentDate(name);
  }
  return target === 'remove_tags' || target === 'tags' ? words[target] : wordFor(texts, 'field', target);
};

/** The targets to choose from for a column that has `present`, each once. */
export const targetsFor = (column: string, present: string): readonly string[] => [
  ...new Set([...(present === '' ? [] : [present]), ...offered, `${EXTRA}${column}`]),
];

/** A sentence of the API without the names of settings that it puts in brackets. */
export const withoutSettings = (sentence: string): string => sentence.replaceAll(/ \(`\w+`\)/g, '');

/** A sentence of the API about a column, with the words of the page in place of the names of fields and settings. */
export const plainWords = (texts: Texts, sentence: string): string => {
  const named = (target: string): string => `“${targetName(texts, target)}”`;
  const [, meant] = /^Its name means ([\w.]+)\.$/.exec(sentence) ?? [];
  if (meant !== undefined) return texts.import.columns.means(targetName(texts, meant));
  return withoutSettings(sentence).replaceAll(
    /(?<=means )[a-z_.]+(?= \()|\b[a-z]+(?:_[a-z]+)+\b(?!`)|\bconsent\.[a-z_.]*[a-z]/g,
    named,
  );
};
