import * as v from 'valibot';
import { limits } from '../../lib/config/limits.ts';
import { rule } from '../http/rule.ts';
import { returnedProfile } from '../profiles/schemas.ts';
import { segmentTypes } from './types.ts';

const pageLimit = v.pipe(
  v.string(),
  rule<string>(
    'out_of_range',
    (text) => /^[1-9][0-9]{0,3}$/.test(text) && Number(text) <= limits.http.pageMax,
    'Must be a whole number from 1 to 1000.',
  ),
  v.transform(Number),
);

const segmentId = v.pipe(
  v.string(),
  rule<string>('wrong_format', (text) => /^[1-9][0-9]{0,15}$/.test(text), 'Must be a segment id.'),
  v.transform(Number),
);

/** Query of the segment lookup. A blank `name` is as good as none. */
export const findSegmentsQuery = v.strictObject({
  name: v.optional(v.string()),
  limit: v.optional(pageLimit),
  cursor: v.optional(v.string()),
});
export type FindSegmentsQuery = v.InferOutput<typeof findSegmentsQuery>;

/** Answer of the segment lookup. */
export const segmentsAnswer = v.array(
  v.strictObject({ id: v.number(), name: v.string(), type: v.picklist(segmentTypes) }),
);

/** Query of a segment's profiles: `page` and `before` are UUIDs of profiles, members or not. */
export const segmentProfilesQuery = v.strictObject({
  limit: v.optional(pageLimit),
  page: v.optional(v.string()),
  before: v.optional(v.string()),
  not: v.optional(segmentId),
});
export type SegmentProfilesQuery = v.InferOutput<typeof segmentProfilesQuery>;

const link = v.nullable(v.string());

/** Answer of a segment's profiles. */
export const segmentProfilesAnswer = v.strictObject({
  paging: v.strictObject({
    next_page: link,
    previous_page: link,
    next_page_uuid: link,
    previous_page_uuid: link,
    count: v.number(),
  }),
  profiles: v.array(returnedProfile),
});
