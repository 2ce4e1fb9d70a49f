/**
 * Items of timelines: the stored shapes of timelines and moments. A moment has a second item,
 * with the facts that the membership index needs: see `membership/moments.ts`.
 */
import * as v from 'valibot';
import { creatorSchema } from '../http/api-user.ts';
import type { RunsToCome } from '../schedules/client-schedules.ts';
import { scheduleShape } from '../schedules/schedule.ts';
import { keys } from '../table/keys.ts';
import type { Attributes, StoredItem, Write } from '../table/table.ts';

const moment = v.object({
  /** Id of the moment's segment. */
  segment: v.number(),
  previous: v.nullable(v.number()),
  /** Name of the segment, made from the timeline's name at that time. */
  name: v.string(),
  /** Epoch milliseconds. */
  created: v.number(),
  created_by: creatorSchema,
  comments: v.string(),
});

/** A moment of a timeline. Immutable. */
export type Moment = Readonly<v.InferOutput<typeof moment>>;

const timeline = v.object({
  w: v.string(),
  id: v.number(),
  name: v.string(),
  reference_tile: v.number(),
  created: v.number(),
  created_by: creatorSchema,
  /** Links to the chart open only in the generation that they were made in. */
  chart_links: v.number(),
  /** The schedule of further moments. */
  schedule: v.nullable(scheduleShape),
  /** The newest moment. */
  latest: moment,
});

const holder = v.object({ latest: moment });

/** A timeline. `w` is the nonce of the write that stored it, for conditional writes. */
export type Timeline = Readonly<v.InferOutput<typeof timeline>>;

const chartLink = v.object({
  property: v.number(),
  timeline: v.number(),
  /** `chart_links` of the timeline when the link was made. */
  generation: v.number(),
  /** Epoch milliseconds. */
  expires: v.number(),
});

/** A link to the chart of a timeline. */
export type ChartLink = Readonly<v.InferOutput<typeof chartLink>>;

export const parseChartLink = (item: StoredItem): ChartLink => v.parse(chartLink, item);
export const parseTimeline = (item: StoredItem): Timeline => v.parse(timeline, item);
export const parseTimelineMoment = (item: StoredItem): Moment => v.parse(moment, item);
/** The newest moment, which the item of a timeline holds; `undefined` for an item of another kind. */
export const latestMomentOf = (item: StoredItem): Moment | undefined => {
  const read = v.safeParse(holder, item);
  return read.success ? read.output.latest : undefined;
};

/**
 * Attributes that release 0.2.0 needs in a timeline: its leases, all of them ended. While both versions of the functions run,
 * its makers and renamers are refused by them.
 */
export const ended = { renaming: null, lease_segment: null, lease_until: 0 };

/** The schedule of a timeline with its runs; `undefined` without a schedule. */
export const scheduleOf = ({
  schedule,
  created,
}: Pick<Timeline, 'schedule' | 'created'>): RunsToCome | undefined =>
  schedule === null ? undefined : { schedule, after: created };

/** The stored attributes of a new timeline. */
export const timelineSet = ({ latest, created_by, schedule, ...facts }: Omit<Timeline, 'w'>) => ({
  ...facts,
  schedule: schedule && { ...schedule },
  created_by: { ...created_by },
  latest: momentSet(latest),
  ...ended,
});

/** Changes a timeline on condition that it is as it was read. */
export const updateTimeline = (property: number, { id, w }: Timeline, set: Attributes): Write => ({
  kind: 'update',
  key: keys.timeline(property, id),
  set: { ...set, ...ended },
  expect: { w },
});

/** The stored attributes of a moment. */
export const momentSet = (each: Moment) => ({ ...each, created_by: { ...each.created_by } });

/** The segment name of a moment. */
export const momentName = (timelineName: string, created: number): string =>
  `${timelineName} ${new Date(created).toISOString()}`;
