/** Schemas of timelines: the bodies and queries that the API accepts, and the answers that it documents. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { creatorSchema } from '../http/api-user.ts';
import { namedListQuery, pageLimit, paging, wholeNumber } from '../http/list-schemas.ts';
import { segmentRef } from '../catalogue/segment-refs.ts';
import { idSchema, nameSchema } from '../http/text.ts';
import { returnedProfile } from '../profiles/schemas.ts';
import { scheduleSchema, scheduleShape } from '../schedules/schedule.ts';
import { pagePlace, profilePaging, segmentId } from '../segments/schemas.ts';

const { timelines: bounds } = limits;

/** Body of `POST timelines`. */
export const timelineBody = v.strictObject({
  reference_tile: segmentRef,
  name: nameSchema,
  comments: v.optional(v.pipe(v.string(), v.maxLength(bounds.commentsLength)), ''),
  schedule: v.nullish(scheduleSchema, null),
});
export type TimelineBody = v.InferOutput<typeof timelineBody>;

/** Query of `GET timelines`, with filters by name and by tracked segment. */
export const timelinesQuery = v.strictObject({
  ...namedListQuery.entries,
  reference_tile: v.optional(segmentId),
});
export type TimelinesQuery = v.InferOutput<typeof timelinesQuery>;

const time = v.pipe(v.string(), v.isoTimestamp());
const link = v.nullable(v.string());

const moment = {
  id: idSchema,
  name: v.string(),
  comments: v.string(),
  created_by: creatorSchema,
  created_date: time,
  links: v.strictObject({ profiles: v.string(), profiles_added: link, profiles_removed: link }),
};

/** A moment in an answer. */
export const momentAnswer = v.strictObject(moment);

const timeline = {
  id: idSchema,
  name: v.string(),
  reference_tile: idSchema,
  created_by: creatorSchema,
  created_date: time,
  schedule: v.nullable(scheduleShape),
};

/** A timeline with its newest moments, the oldest of them first. */
export const timelineAnswer = v.strictObject({ ...timeline, moments: v.array(momentAnswer) });

/** Body of `PUT timelines/{timeline_id}`. */
export const renameBody = v.strictObject({ name: nameSchema });
export type RenameBody = v.InferOutput<typeof renameBody>;

/** A timeline without its moments. */
export const timelineFactsAnswer = v.strictObject(timeline);

/** Answer of the list of timelines. */
export const timelinesAnswer = v.array(timelineAnswer);

/** The members of a moment, and the people who joined and left since the previous moment; null for the first moment. */
const counted = { count: v.number(), added: v.nullable(v.number()), removed: v.nullable(v.number()) };

/** A moment with its counts. */
export const countedMomentAnswer = v.strictObject({ ...moment, ...counted });

/** A timeline with a page of its moments and their counts. */
export const countedTimelineAnswer = v.strictObject({
  ...timeline,
  moments: v.array(countedMomentAnswer),
  paging,
});

/** Query of the changes between two moments, by their ids, with pages as in the profiles of a segment. */
export const changesQuery = v.strictObject({ ...pagePlace, from: segmentId, to: segmentId });
export type ChangesQuery = v.InferOutput<typeof changesQuery>;

/** A page of people: `added` are in the moment `to` only, `removed` in the moment `from` only. */
export const changesAnswer = v.strictObject({
  from: idSchema,
  to: idSchema,
  added: v.array(returnedProfile),
  removed: v.array(returnedProfile),
  paging: profilePaging,
});

/**
 * Query of the chart: its size in pixels, and its moments: the newest `limit` moments, of all moments or of those between
 * two moments, both included.
 */
export const chartQuery = v.strictObject({
  limit: v.optional(pageLimit),
  from: v.optional(segmentId),
  to: v.optional(segmentId),
  width: v.optional(wholeNumber(bounds.chartWidth.least, bounds.chartWidth.most)),
  height: v.optional(wholeNumber(bounds.chartHeight.least, bounds.chartHeight.most)),
});
export type ChartQuery = v.InferOutput<typeof chartQuery>;

/** Body of `POST chart-links`: the days for which the link opens the chart. */
export const chartLinkBody = v.strictObject({
  days: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(bounds.chartLinkDays.most)),
    bounds.chartLinkDays.default,
  ),
});
export type ChartLinkBody = v.InferOutput<typeof chartLinkBody>;

/** Answer of `POST chart-links`: the address of the chart, and when it stops to open. */
export const chartLinkAnswer = v.strictObject({ url: v.string(), expires_at: time });
