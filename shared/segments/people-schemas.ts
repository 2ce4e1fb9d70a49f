/** Schemas of answers that show the people of a segment. They stand apart, so that other functions do without profiles. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { described } from '../http/described.ts';
import { returnedProfile } from '../profiles/schemas.ts';
import { counted } from './schemas.ts';

/** Response of a preview: the number of profiles in a definition, and the first of them. */
export const previewAnswer = v.strictObject({
  count: described(
    'The exact number of profiles that the definition describes.',
    v.pipe(v.number(), v.integer()),
  ),
  as_of: counted.as_of,
  sample: described(
    `The first of these profiles, at most ${limits.segments.previewProfiles}.`,
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
  profiles: described('The profiles, in the order of their creation.', v.array(returnedProfile)),
});
