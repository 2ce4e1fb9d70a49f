/** Schemas of erasures: the bodies and the answers of their routes. */
import * as v from 'valibot';
import { segmentRef } from '../catalogue/segment-refs.ts';
import { described } from '../http/described.ts';
import { orderedPlace, paging } from '../http/list-schemas.ts';
import { idSchema } from '../http/text.ts';
import { listedSegment } from '../segments/schemas.ts';
import { erasureCauses, erasureStatuses } from './erasure-items.ts';

const time = v.pipe(v.string(), v.isoTimestamp());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Body of `POST erasures`. */
export const erasureBody = v.strictObject({
  segment: described(
    'The segment whose profiles are forgotten: its id, or an object with `type` and `name`.',
    segmentRef,
  ),
  profiles: described(
    'The number of profiles in the segment, as `POST segments/preview` or `GET segments/{segment_id}` answers it. If the segment has another number by now, nobody is forgotten (409).',
    v.pipe(
      v.number('Must be the number of profiles in the segment.'),
      v.safeInteger('Must be the number of profiles in the segment.'),
      v.minValue(1, 'Must be at least 1.'),
    ),
  ),
});
export type ErasureBody = v.InferOutput<typeof erasureBody>;

/** An erasure in an answer: its progress, and at the end its receipt. */
export const shownErasure = v.strictObject({
  id: described('The id of the erasure.', idSchema),
  cause: described(
    'Why people are forgotten: a request for a `segment`, or the `retention` of the property.',
    v.picklist(erasureCauses),
  ),
  status: described(
    '`running`, `complete`, or `incomplete`: it was under way in a backup that was restored, so look at the segment again.',
    v.picklist(erasureStatuses),
  ),
  segment: described(
    'The segment as it was at the request. Null for a retention.',
    v.nullable(listedSegment),
  ),
  stored_before: described(
    'Of a retention: profiles that were last stored before this time were forgotten. Null for a segment.',
    v.nullable(time),
  ),
  profiles: described('The number of people to be forgotten: the members at the request.', count),
  forgotten: described('How many of them are forgotten by now.', count),
  created: described('When the erasure began.', time),
  created_by: described('The id of the user who asked for it. Null for a retention.', v.nullable(idSchema)),
  finished: described('When it ended. Null while it is running.', v.nullable(time)),
});

/** Query of `GET erasures`. */
export const erasuresQuery = v.strictObject(orderedPlace);
export type ErasuresQuery = v.InferOutput<typeof erasuresQuery>;

/** A page of erasures. */
export const erasuresAnswer = v.strictObject({
  erasures: described('The erasures of this page, by default the oldest first.', v.array(shownErasure)),
  paging,
});
