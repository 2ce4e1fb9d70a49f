/**
 * Fault codes: every `code` in `errors` of a problem, with its meaning and its remedy. A refused row of an import has one of
 * these codes too, or one of `row-codes.ts`. Handlers import types only, so that no sentence is in a bundle.
 */
import type { Codes } from './code-facts.ts';
import { exportFaults } from './export-fault-codes.ts';
import { importFaults } from './import-fault-codes.ts';

/** Faults of any value. */
export const valueFaults = {
  required: { meaning: 'The value is missing.', remedy: 'Send the value.' },
  unknown_field: {
    meaning: 'The object has a field that the service does not know.',
    remedy: 'Correct the name or leave the field out; `detail` names a similar field.',
  },
  wrong_type: {
    meaning: 'The value has the wrong type, such as text in place of a number.',
    remedy: 'Send the type that `detail` names.',
  },
  wrong_format: {
    meaning: 'The text does not have the required form.',
    remedy: 'Write the text as `detail` or the API document describes it.',
  },
  not_allowed: {
    meaning: 'The value is not one of the allowed values, or not allowed together with the other fields.',
    remedy: 'Choose one of the values that `detail` names, or leave the field out.',
  },
  out_of_range: {
    meaning: 'The number or the date is too small or too large.',
    remedy: 'Send a value within the limits that `detail` names.',
  },
  too_short: {
    meaning: 'The text or list is too short.',
    remedy: 'Send at least the length that `detail` names.',
  },
  too_long: {
    meaning: 'The text or list is too long.',
    remedy: 'Shorten the text or list to the length that `detail` names.',
  },
  too_many: {
    meaning: 'The list would have too many elements.',
    remedy: 'Send at most the number that `detail` names.',
  },
  blank: { meaning: 'The text consists of spaces only.', remedy: 'Send a text with visible characters.' },
  empty: { meaning: 'The text or list is empty.', remedy: 'Send a value, or leave the field out.' },
  duplicate: {
    meaning: 'The entry occurs twice in its list.',
    remedy: 'Remove or rename one of the two entries.',
  },
  bad_characters: {
    meaning: 'The text contains a control character, half of a surrogate pair or U+FFFD.',
    remedy: 'Remove the character; U+FFFD shows that the text was damaged before it was sent.',
  },
  invalid: {
    meaning: 'The value breaks a rule that has no code of its own.',
    remedy: 'Follow the sentence in `detail`.',
  },
  not_an_email: {
    meaning: 'The text is not an e-mail address.',
    remedy: 'Send an address such as ada@example.org.',
  },
  not_a_date: {
    meaning: 'The text is not a date or time, or not in a form that can be read.',
    remedy: 'Write the date in the form that `detail` names.',
  },
} as const satisfies Codes;

/** Faults of requests as a whole, of lookups of people and of references. */
export const requestFaults = {
  unknown_reference: {
    meaning: 'The value names something that does not exist in this property.',
    remedy: 'Check the id or the name.',
  },
  bad_cursor: {
    meaning: 'The cursor belongs to another list, to other filters or to another order.',
    remedy: 'Begin again without a cursor.',
  },
  in_use: {
    meaning: 'This user of the thing prevents its deletion.',
    remedy: 'Change or delete the user first.',
  },
  one_identity: {
    meaning: 'The lookup names no person, or names one in several ways.',
    remedy: 'Send exactly one of the parameters that `detail` names.',
  },
  unknown_profile: {
    meaning: 'The parameter is not the UUID of a profile of this property.',
    remedy: 'Use a link of the paging, or the `profile_uuid` of a person in the list.',
  },
  profile_uuid: {
    meaning: 'This is one of the people whom the lookup matches; `detail` is the `profile_uuid`.',
    remedy: 'Look the person up by this `profile_uuid`.',
  },
} as const satisfies Codes;

/** Faults of records. */
export const recordFaults = {
  identity_missing: {
    meaning: 'The record has no `unique_id`, `email` or `social_id`.',
    remedy: 'Add one of the three.',
  },
  conflicting_values: {
    meaning: 'The record has two different values for the same attribute.',
    remedy: 'Send the attribute once.',
  },
  profile_too_large: {
    meaning: 'The profile would be larger than a profile may be.',
    remedy: 'Send less `extra_data`, or erase keys of the profile that you do not need.',
  },
  too_old: {
    meaning: 'The record waited too long before it was stored.',
    remedy: 'Send the record again.',
  },
  objected: {
    meaning: 'Somebody with an identity of the record objects to being stored. Nothing was stored.',
    remedy: 'Remove the person from your source. `GET objections` lists the objections.',
  },
  undone: {
    meaning: 'The import job of the record was undone.',
    remedy: 'Send the record in another job, if it must be stored.',
  },
} as const satisfies Codes;

/** Faults of segment definitions, of references to segments, and of timelines. */
export const segmentFaults = {
  several_segments: {
    meaning: 'Several segments of this type have this name.',
    remedy: 'Send the id of one of them; `detail` lists the ids.',
  },
  too_many_names: {
    meaning: 'The request names too many segments by their names.',
    remedy: 'Send ids for the other segments.',
  },
  too_many_nodes: {
    meaning: 'The definition has too many parts, counting the parts of the custom segments that it names.',
    remedy: 'Use fewer segments, or combine some of them in a tag.',
  },
  too_deep: {
    meaning: 'The definition is nested too deep, counting the custom segments that it names.',
    remedy: 'Flatten the definition.',
  },
  too_expensive: {
    meaning: 'The service would need too many queries to count the members.',
    remedy: 'Use fewer segments in the definition.',
  },
} as const satisfies Codes;

/** Faults of schedules and of notices about the end of a job. */
export const scheduleFaults = {
  not_a_cron_field: {
    meaning: 'The text is not a field of a cron line.',
    remedy: 'Write the field as `detail` shows it.',
  },
  not_a_time_zone: {
    meaning: 'The text is not the name of a time zone.',
    remedy: 'Send a name of the IANA database, such as Europe/Berlin.',
  },
  never_runs: {
    meaning: 'The schedule names a day that does not exist, such as 31 February.',
    remedy: 'Correct the day or the month.',
  },
  too_frequent: {
    meaning: 'The schedule runs more often than it may.',
    remedy: 'Choose times that are further apart.',
  },
  not_a_mailbox: {
    meaning: 'The part of the address before the @ has letters that the mail service does not accept.',
    remedy: 'Use an address with ASCII letters before the @.',
  },
  no_sender: {
    meaning: 'This installation cannot send e-mail.',
    remedy: 'Use a webhook, or ask the operator to configure the sender of mail.',
  },
  not_a_url: {
    meaning: 'The text is not an absolute address.',
    remedy: 'Send an address such as https://example.org/hook.',
  },
  scheme_not_allowed: { meaning: 'The address does not begin with https.', remedy: 'Use https.' },
  credentials_in_url: {
    meaning: 'The address contains a user name or password.',
    remedy: 'Remove them; the signature of the call proves its origin.',
  },
  private_target: {
    meaning: 'The address leads into a private network or to the machine itself.',
    remedy: 'Use a public address, or ask the operator to allow private targets.',
  },
  loops_back: {
    meaning: 'The address leads to this service.',
    remedy: 'Use the address of your own server.',
  },
  port_not_allowed: {
    meaning: 'The port is known as the port of another service.',
    remedy: 'Use port 443, or another port from 1024 on.',
  },
  not_in_normal_form: {
    meaning: 'The address is not written as browsers show it.',
    remedy: 'Copy the address from the address bar of a browser.',
  },
} as const satisfies Codes;

/** Every fault code. */
export const faultCodes = {
  ...valueFaults,
  ...requestFaults,
  ...recordFaults,
  ...segmentFaults,
  ...scheduleFaults,
  ...importFaults,
  ...exportFaults,
} as const;

/** The `code` of a fault in `errors`. */
export type FaultCode = keyof typeof faultCodes;
