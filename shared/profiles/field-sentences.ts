/** Sentences on the fields of records and profiles, for readers of the API document. */
import type { AddressPart, ScalarField, SentField } from './fields.ts';

const inYourWords = 'A text of your choice, kept as sent.';

/** The meaning of each field with one value, in profiles, records and exports. */
export const fieldSentences: Readonly<Record<ScalarField, string>> = {
  unique_id: 'Your own id of the person, such as a customer number.',
  email: 'The e-mail address of the person, in lower case. Of several, the newest is shown.',
  social_id: 'The id of the person in a social network. Of several, the newest is shown.',
  profile_uuid: 'The id of the profile.',
  first_name: 'The first name of the person.',
  last_name: 'The last name of the person.',
  full_name: 'The full name of the person. It is not derived from the first and the last name.',
  age: 'The age of the person in years, as it was sent. It does not grow with time.',
  birthday: 'The birthday of the person, written `YYYY-MM-DD`.',
  gender: `The gender of the person. ${inYourWords}`,
  street: 'The street and house number of the address.',
  street2: 'The second line of the street, such as an apartment.',
  city: 'The city of the address.',
  state: 'The state, province or region of the address.',
  zipcode: 'The postal code of the address.',
  country: `The country of the address. ${inYourWords}`,
  has_children: 'Whether the person has children: `Yes` or `No`.',
  professional_id: 'The id of the person in a professional network.',
  phone_number: 'The phone number of the person. A lookup finds it only in the form `+4930123456`.',
  education_level: `The level of education of the person. ${inYourWords}`,
  home_owner_status: `Whether the person owns or rents the home. ${inYourWords}`,
  home_value: `The value of the home of the person. ${inYourWords}`,
  household_income: `The income of the household of the person. ${inYourWords}`,
  marital_status: `The marital status of the person. ${inYourWords}`,
  ethnicity: `The ethnicity of the person. ${inYourWords}`,
};

/** The sentences of records, for fields that a record tells more or else of than a profile. */
const recordSentences: Readonly<Record<Exclude<SentField, ScalarField>, string>> &
  Readonly<Partial<Record<ScalarField, string>>> = {
  unique_id:
    'Your own id of the person, such as a customer number. It identifies the person: records with the same id belong to one profile.',
  email:
    'The e-mail address of the person, stored in lower case. It identifies the person. A profile may have several.',
  social_id:
    'The id of the person in a social network. It identifies the person. A profile may have several.',
  age: 'The age of the person in years. It does not grow with time, so send the birthday if you know it.',
  birthday: 'The birthday of the person, written `YYYY-MM-DD`, from 1800-01-01 to today.',
  has_children:
    'Whether the person has children: `yes`, `no`, `y`, `n`, `true` or `false`, in capital or small letters.',
  address: 'The parts of the address, as one object. Null erases all of them.',
  social_likes:
    'The pages that the person likes. The profile keeps its older likes; null erases all of them.',
  tags: 'Tags of the person, each with its time. The profile keeps its older tags; null erases all of them. See `tags_mode`.',
  remove_tags:
    'Tags to remove from the profile. The text of a tag removes it with every time; an entry like those of `tags` removes it with this time only. Tags of the same record stay.',
  source:
    'Labels of where the record comes from, separated by commas. The profile keeps its older labels; null erases all of them. Answers call them `sources`.',
  consent:
    'What the person said about each channel. Consent is never erased: send the state `withdrawn` instead of null.',
  extra_data:
    'Further data about the person, under names of your choice. The profile keeps the names that the record does not have; null erases all names.',
};

const isScalar = (name: SentField): name is ScalarField & SentField => Object.hasOwn(fieldSentences, name);

/** The sentence of a field of a record. */
export const recordSentenceOf = (name: SentField): string =>
  isScalar(name) ? (recordSentences[name] ?? fieldSentences[name]) : recordSentences[name];

/** The sentences of the parts of `address`. */
export const addressSentences: Readonly<Record<AddressPart, string>> = {
  street: fieldSentences.street,
  street2: fieldSentences.street2,
  city: fieldSentences.city,
  state: fieldSentences.state,
  postal_code: fieldSentences.zipcode,
  country: fieldSentences.country,
};
