import * as v from 'valibot';
import { creatorSchema } from '../http/api-user.ts';
import { scheduleShape } from '../schedules/schedule.ts';
import type { StoredItem } from '../table/table.ts';

const moment = v.object({
  /** Id of the segment that the moment is. */
  segment: v.number(),
  previous: v.nullable(v.number()),
  /** What it is called as a segment, by the name that its timeline had then. */
  name: v.string(),
  /** Epoch milliseconds. */
  created: v.number(),
  created_by: creatorSchema,
  comments: v.string(),
});
/** A moment as its timeline knows it. Never changes. */
export type Moment = Readonly<v.InferOutput<typeof moment>>;

const timeline = v.object({
  w: v.string(),
  id: v.number(),
  name: v.string(),
  /** Which try is about to give it another name. Only that one may, and only while this says so. */
  renaming: v.nullable(v.string()),
  reference_tile: v.number(),
  created: v.number(),
  created_by: creatorSchema,
  /** When further moments are made without being asked for. */
  schedule: v.nullable(scheduleShape),
  /** The newest moment. It is there from the write on that puts it here. */
  latest: moment,
  /** Who makes the next moment, by the segment that it is to be, and until when it is taken to be alive (epoch ms). */
  lease_segment: v.nullable(v.number()),
  lease_until: v.number(),
});
/** A timeline and where it stands. `w` names the state that was read. */
export type Timeline = Readonly<v.InferOutput<typeof timeline>>;

const nameClaim = v.object({
  w: v.string(),
  timeline: v.number(),
  final: v.boolean(),
  /** Until when who makes the timeline is taken to be alive (epoch ms). */
  until: v.number(),
});
/** The claim on a name: pending while its timeline is being made, then final. */
export type NameClaim = Readonly<v.InferOutput<typeof nameClaim>>;

const unfinishedMoment = v.object({
  w: v.string(),
  property: v.number(),
  timeline: v.number(),
  segment: v.number(),
  /** Epoch milliseconds. */
  since: v.number(),
});
/** A moment that is being made, or whose maker has died. */
export type UnfinishedMoment = Readonly<v.InferOutput<typeof unfinishedMoment>>;

const dueMoment = v.object({ w: v.string(), property: v.number(), timeline: v.number(), time: v.number() });
/** A moment that is to be made at a time (epoch ms). */
export type DueMoment = Readonly<v.InferOutput<typeof dueMoment>>;

export const parseDueMoment = (item: StoredItem): DueMoment => v.parse(dueMoment, item);
export const parseTimeline = (item: StoredItem): Timeline => v.parse(timeline, item);
export const parseTimelineMoment = (item: StoredItem): Moment => v.parse(moment, item);
export const parseNameClaim = (item: StoredItem): NameClaim => v.parse(nameClaim, item);
export const parseUnfinishedMoment = (item: StoredItem): UnfinishedMoment => v.parse(unfinishedMoment, item);

/** A moment as it is stored. */
export const momentSet = (one: Moment) => ({ ...one, created_by: { ...one.created_by } });

/** What a moment is called as a segment. */
export const momentName = (timeline: string, created: number): string =>
  `${timeline} ${new Date(created).toISOString()}`;
