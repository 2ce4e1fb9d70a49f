/** Read items: reads timelines and pages of their moments. */
import type { Page } from '../http/listing.ts';
import type { Listed } from '../runtime/pages.ts';
import { keys } from '../table/keys.ts';
import { belongsTo } from '../table/scoped-ids.ts';
import type { Table } from '../table/table.ts';
import { isLive } from '../references/lifecycle.ts';
import { parseTimeline, parseTimelineMoment, type Moment, type Timeline } from './timeline-items.ts';

/** Reads a timeline; `undefined` for an unknown id and for an id of another property. */
export const readTimeline = async (
  table: Table,
  property: number,
  id: number,
): Promise<Timeline | undefined> => {
  const item = belongsTo(property, id) ? await table.get(keys.timeline(property, id)) : undefined;
  return isLive(item) ? parseTimeline(item) : undefined;
};

/** Some of the newest moments of a timeline: of all, or of those from one segment to another, both included. */
export interface MomentRange {
  readonly limit: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The newest moments of a timeline in a range, the oldest of them first. */
export const newestMoments = async (
  table: Table,
  property: number,
  { id, latest }: Timeline,
  { limit, from = 0, to = latest.segment }: MomentRange,
): Promise<readonly Moment[]> => {
  const key = (segment: number) => keys.timelineMoment(property, id, segment);
  const { pk, sk } = key(to);
  const { items } = await table.query(pk, { from: key(from).sk, to: sk, descending: true, limit });
  return items.map(parseTimelineMoment).reverse();
};

/** A page of a timeline's moments in order of time. */
export const momentsFrom = async (
  table: Table,
  property: number,
  { id }: Timeline,
  { limit, after }: Page,
): Promise<Listed<Moment>> => {
  const { items, next } = await table.query(keys.timelineMoment(property, id, 0).pk, { after, limit });
  return { items: items.map(parseTimelineMoment), next };
};

/** Moments of a timeline by their segments; `undefined` for a segment that is no moment of the timeline. */
export const readMoments = async (
  table: Table,
  property: number,
  { id }: Timeline,
  segments: readonly number[],
): Promise<readonly (Moment | undefined)[]> => {
  const items = await table.getMany(segments.map((segment) => keys.timelineMoment(property, id, segment)));
  return items.map((item) => item && parseTimelineMoment(item));
};
