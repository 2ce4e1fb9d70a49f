/** Schemas of answers that show the people of a segment. They stand apart, so that other functions do without profiles. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { described } from '../http/described.ts';
import { listedProfile, returnedProfile } from '../profiles/schemas.ts';
import { whereSchema } from '../catalogue/conditions/where.ts';
import { counted } from './schemas.ts';

const whole = v.pipe(v.number(), v.integer());

/** How many people a preview with rules found, by a sample of them. */
export const peopleEstimate = v.strictObject({
  count: described(
    'The most plausible number of profiles. It is exact where `low` and `high` are the same.',
    whole,
  ),
  low: described('The number is at least this one. With a chance of 95 %, it is between both bounds.', whole),
  high: described('The number is at most this one.', whole),
  profiles_read: described(
    `The profiles that were read, drawn by chance: at most ${limits.segments.peopleDrawn}. All who may be meant, where these are no more. They are fewer where profiles are very large, or many rules compare long values.`,
    whole,
  ),
});

/** What a preview found of a rule. */
export const ruleFindings = v.strictObject({
  where: described('The rule.', whereSchema),
  with_value: described('How many of the profiles that were read have a value of the field.', whole),
  unreadable: described(
    'How many of them have a value that the operator cannot read, such as a text where numbers are compared.',
    whole,
  ),
});

/** Response of a preview: the number of profiles in a definition, and some of them. */
export const previewAnswer = v.strictObject({
  count: described('The exact number of profiles. Absent where there are rules.', v.optional(whole)),
  estimate: described(
    'Where there are rules (`where`), the number of profiles by a sample.',
    v.optional(peopleEstimate),
  ),
  conditions: described(
    'Where there are rules, what was found of each different one.',
    v.optional(v.pipe(v.array(ruleFindings), v.maxLength(limits.segments.definitionNodes))),
  ),
  as_of: counted.as_of,
  sample: described(
    `The first of these profiles, at most ${limits.segments.previewProfiles}; where there are rules, the first of those who were read.`,
    v.array(returnedProfile),
  ),
});

const link = v.nullable(v.string());

/** The sentence of `profilePaging`. */
export const pagingSentence = 'The links to the pages before and after this one.';

/** Links of a page of profiles to its neighbours, and its number of profiles. */
export const profilePaging = v.strictObject({
  next_page: described('The address of the next page. Null on the last page.', link),
  previous_page: described('The address of the previous page. Null on the first page.', link),
  next_page_uuid: described(
    'The id of the profile at which the next page begins. Null on the last page.',
    link,
  ),
  previous_page_uuid: described(
    'The id of the profile at which the previous page begins. Null on the first page.',
    link,
  ),
  count: described(
    'The number of profiles on this page. A page may have fewer profiles than `limit`, or none, and still link to a next page.',
    v.pipe(v.number(), v.integer()),
  ),
});

/** Response for the profiles of a segment. */
export const segmentProfilesAnswer = v.strictObject({
  paging: described(pagingSentence, profilePaging),
  profiles: described('The profiles, in the order of their creation.', v.array(listedProfile)),
});
