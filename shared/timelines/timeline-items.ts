/**
 * Items of timelines: the stored shapes of timelines, moments, name claims and due moments. A moment has a second item,
 * with the facts that the membership index needs: see `membership/moments.ts`.
 */
import * as v from 'valibot';
import { creatorSchema } from '../http/api-user.ts';
import { scheduleShape } from '../schedules/schedule.ts';
import type { StoredItem } from '../table/table.ts';

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
  /**
   * The attempt that is renaming the timeline. Only this attempt may write the name, and only while it is named here: a
   * fencing token.
   */
  renaming: v.nullable(v.string()),
  reference_tile: v.number(),
  created: v.number(),
  created_by: creatorSchema,
  /** Links to the chart open only in the generation that they were made in. */
  chart_links: v.number(),
  /** The schedule of further moments. */
  schedule: v.nullable(scheduleShape),
  /** The newest moment. The write that stores it here commits it. */
  latest: moment,
  /**
   * Lease: the segment id of the moment in the making identifies its maker; the lease ends at `lease_until` (epoch ms).
   */
  lease_segment: v.nullable(v.number()),
  lease_until: v.number(),
});

const holder = v.object({ latest: moment });

/** A timeline. `w` is the nonce of the write that stored it, for conditional writes. */
export type Timeline = Readonly<v.InferOutput<typeof timeline>>;

const nameClaim = v.object({
  w: v.string(),
  timeline: v.number(),
  final: v.boolean(),
  /** End of the maker's lease on the name (epoch ms). */
  until: v.number(),
});

/** The claim of a timeline on a name: pending while the timeline is made or renamed, then final. */
export type NameClaim = Readonly<v.InferOutput<typeof nameClaim>>;

const unfinishedMoment = v.object({
  w: v.string(),
  property: v.number(),
  timeline: v.number(),
  segment: v.number(),
  /** Epoch milliseconds. */
  since: v.number(),
});

/** A moment in the making, or the leftovers of a dead maker. */
export type UnfinishedMoment = Readonly<v.InferOutput<typeof unfinishedMoment>>;

const dueMoment = v.object({ w: v.string(), property: v.number(), timeline: v.number(), time: v.number() });

/** A scheduled moment, due at a time (epoch ms). */
export type DueMoment = Readonly<v.InferOutput<typeof dueMoment>>;

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
export const parseDueMoment = (item: StoredItem): DueMoment => v.parse(dueMoment, item);
export const parseTimeline = (item: StoredItem): Timeline => v.parse(timeline, item);
export const parseTimelineMoment = (item: StoredItem): Moment => v.parse(moment, item);
/** The newest moment, which the item of a timeline holds; `undefined` for an item of another kind. */
export const latestMomentOf = (item: StoredItem): Moment | undefined => {
  const read = v.safeParse(holder, item);
  return read.success ? read.output.latest : undefined;
};
export const parseNameClaim = (item: StoredItem): NameClaim => v.parse(nameClaim, item);
export const parseUnfinishedMoment = (item: StoredItem): UnfinishedMoment => v.parse(unfinishedMoment, item);

/** The stored attributes of a moment. */
export const momentSet = (each: Moment) => ({ ...each, created_by: { ...each.created_by } });

/** The segment name of a moment. */
export const momentName = (timelineName: string, created: number): string =>
  `${timelineName} ${new Date(created).toISOString()}`;
