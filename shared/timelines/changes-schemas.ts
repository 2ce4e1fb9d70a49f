/** Schemas of the changes between two moments, which show people. */
import * as v from 'valibot';
import { described } from '../http/described.ts';
import { idSchema } from '../http/text.ts';
import { listedProfile } from '../profiles/schemas.ts';
import { pagingSentence, profilePaging } from '../segments/people-schemas.ts';
import { pageOfPeople, segmentId } from '../segments/schemas.ts';

/** Query of the changes between two moments, by their ids, with pages as in the profiles of a segment. */
export const changesQuery = v.strictObject({
  ...pageOfPeople,
  from: described('The id of the moment to compare from.', segmentId),
  to: described('The id of the moment to compare to. It may be older than `from`.', segmentId),
});

export type ChangesQuery = v.InferOutput<typeof changesQuery>;

/** A page of people: `added` are in the moment `to` only, `removed` in the moment `from` only. */
export const changesAnswer = v.strictObject({
  from: described('The id of the moment to compare from.', idSchema),
  to: described('The id of the moment to compare to.', idSchema),
  added: described(
    'Profiles that are in the moment `to` and not in the moment `from`.',
    v.array(listedProfile),
  ),
  removed: described(
    'Profiles that are in the moment `from` and not in the moment `to`.',
    v.array(listedProfile),
  ),
  paging: described(pagingSentence, profilePaging),
});
