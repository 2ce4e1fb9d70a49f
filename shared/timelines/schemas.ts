/** Schemas of timelines: the bodies and queries that the API accepts, and the answers that it documents. */
import * as v from 'valibot';
import { segmentRef } from '../catalogue/segment-refs.ts';
import { limits } from '../config/limits.ts';
import { shownCreatorSchema } from '../http/api-user.ts';
import { described } from '../http/described.ts';
import { namedListQuery, pageLimit, paging, wholeNumber } from '../http/list-schemas.ts';
import { idSchema, nameSchema } from '../http/text.ts';
import { scheduleSchema, scheduleShape, timezoneSchema } from '../schedules/schedule.ts';
import { segmentId } from '../segments/schemas.ts';

const { timelines: bounds } = limits;

const nameSentence =
  'The name of the timeline. It is unique in the property, ignoring case and surrounding space.';

/** Body of `POST timelines`. */
export const timelineBody = v.strictObject({
  reference_tile: described(
    'The segment to track: its id, or an object like `{"type": "tag", "name": "Jazz"}`.',
    segmentRef,
  ),
  name: described(nameSentence, nameSchema),
  comments: described(
    'Your comments on the first moment. The default is an empty text.',
    v.optional(v.pipe(v.string(), v.maxLength(bounds.commentsLength)), ''),
  ),
  schedule: described(
    'When the service adds moments by itself. Without a schedule, or with null, only requests add moments.',
    v.nullish(scheduleSchema, null),
  ),
});
export type TimelineBody = v.InferOutput<typeof timelineBody>;

/** Query of `GET timelines`, with filters by name and by tracked segment. */
export const timelinesQuery = v.strictObject({
  ...namedListQuery.entries,
  reference_tile: described(
    'Lists only timelines that track the segment with this id.',
    v.optional(segmentId),
  ),
});
export type TimelinesQuery = v.InferOutput<typeof timelinesQuery>;

const time = v.pipe(v.string(), v.isoTimestamp());
const link = v.nullable(v.string());

const moment = {
  id: described(
    'The id of the moment. A moment is a segment, so the id works as the id of a segment.',
    idSchema,
  ),
  name: described('The name of the moment: that of the timeline, and the time.', v.string()),
  comments: described('Comments on the moment; empty without any.', v.string()),
  created_by: described(
    'The user who added the moment. A scheduled moment has the creator of the timeline.',
    shownCreatorSchema,
  ),
  created_date: described('The time of the moment.', time),
  links: described(
    'The addresses of the profiles of the moment.',
    v.strictObject({
      profiles: described('The profiles in the moment.', v.string()),
      profiles_added: described(
        'The profiles that joined since the previous moment. Null for the first moment.',
        link,
      ),
      profiles_removed: described(
        'The profiles that left since the previous moment. Null for the first moment.',
        link,
      ),
    }),
  ),
};

/** A moment in an answer. */
export const momentAnswer = v.strictObject(moment);

const timeline = {
  id: described('The id of the timeline.', idSchema),
  name: described('The name of the timeline.', v.string()),
  reference_tile: described('The id of the tracked segment.', idSchema),
  created_by: described('The user who created the timeline.', shownCreatorSchema),
  created_date: described('When the timeline was created.', time),
  schedule: described(
    'When the service adds moments by itself. Null without a schedule.',
    v.nullable(scheduleShape),
  ),
  next_run: described(
    'When the schedule adds a moment next. Null without a schedule, and after the only run of a schedule with `once`.',
    v.nullable(time),
  ),
};

/** A timeline with its newest moments, the oldest of them first. */
export const timelineAnswer = v.strictObject({
  ...timeline,
  moments: described(
    `The newest moments, at most ${bounds.momentsPerTimelineInList}, the oldest of these first.`,
    v.array(momentAnswer),
  ),
});

/** Body of `PUT timelines/{timeline_id}`. */
export const renameBody = v.strictObject({ name: described(nameSentence, nameSchema) });
export type RenameBody = v.InferOutput<typeof renameBody>;

/** A timeline without its moments. */
export const timelineFactsAnswer = v.strictObject(timeline);

/** Answer of the list of timelines. */
export const timelinesAnswer = v.array(timelineAnswer);

const counted = {
  count: described('The number of profiles in the moment.', v.pipe(v.number(), v.integer())),
  added: described(
    'The number of profiles that joined since the previous moment. Null for the first moment.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
  removed: described(
    'The number of profiles that left since the previous moment. Null for the first moment.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
};

/** A moment with its counts. */
export const countedMomentAnswer = v.strictObject({ ...moment, ...counted });

/** A timeline with a page of its moments and their counts. */
export const countedTimelineAnswer = v.strictObject({
  ...timeline,
  moments: described('The moments of this page, the oldest first.', v.array(countedMomentAnswer)),
  paging,
});

/**
 * Query of the chart: its size in pixels, its time zone, and its moments: the newest `limit` moments, of all moments or of those between
 * two moments, both included.
 */
export const chartQuery = v.strictObject({
  limit: described(
    `The number of moments, the newest. The default is ${bounds.chartMoments}.`,
    v.optional(pageLimit),
  ),
  from: described('The id of a moment: the chart begins with it.', v.optional(segmentId)),
  to: described('The id of a moment: the chart ends with it.', v.optional(segmentId)),
  width: described(
    'The width in pixels. Without it, the chart is as wide as its place.',
    v.optional(wholeNumber(bounds.chartWidth.least, bounds.chartWidth.most)),
  ),
  height: described(
    `The height in pixels, or beside a width of ${bounds.chartWidth.default} without \`width\`. The default is ${bounds.chartHeight.default}.`,
    v.optional(wholeNumber(bounds.chartHeight.least, bounds.chartHeight.most)),
  ),
  timezone: described(
    'The time zone of the times in the chart, a name of the IANA database such as `Europe/Berlin`. Without it, UTC.',
    v.optional(timezoneSchema),
  ),
});
export type ChartQuery = v.InferOutput<typeof chartQuery>;

/** Body of `POST chart-links`: the days for which the link opens the chart. */
export const chartLinkBody = v.strictObject({
  days: described(
    `The number of days for which the link works, to the end of its last day in UTC. The default is ${bounds.chartLinkDays.default}.`,
    v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(bounds.chartLinkDays.most)),
      bounds.chartLinkDays.default,
    ),
  ),
});
export type ChartLinkBody = v.InferOutput<typeof chartLinkBody>;

/** Answer of `POST chart-links`: the address of the chart, and when it stops to open. */
export const chartLinkAnswer = v.strictObject({
  url: described(
    'The address of the chart. It needs no token: everyone who has it sees the chart.',
    v.string(),
  ),
  expires_at: described('When the link stops working.', time),
});
