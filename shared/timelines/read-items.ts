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
  const { pk, sk: last } = key(to);
  const query = { from: key(from).sk, descending: true };
  if (to < latest.segment) {
    const { items } = await table.query(pk, { ...query, to: last, limit });
    return items.map(parseTimelineMoment).reverse();
  }
  // The newest moment may be stored only in the timeline.
  if (latest.previous === null || limit === 1 || from >= latest.segment) return [latest];
  const { items } = await table.query(pk, { ...query, after: key(latest.segment).sk, limit: limit - 1 });
  return [latest, ...items.map(parseTimelineMoment)].reverse();
};

/** A page of a timeline's moments in order of time. The newest moment may be stored only in the timeline. */
export const momentsFrom = async (
  table: Table,
  property: number,
  { id, latest }: Timeline,
  { limit, after }: Page,
): Promise<Listed<Moment>> => {
  const { pk, sk: last } = keys.timelineMoment(property, id, latest.segment);
  const found = await table.query(pk, { after, limit });
  const { next } = found;
  const stored = found.items.filter(({ sk }) => sk < last).map(parseTimelineMoment);
  const isLast = next === undefined || next >= last;
  const all = isLast && (after === undefined || after < last) ? [...stored, latest] : stored;
  const items = all.slice(0, limit);
  const end = items.at(-1);
  const more = !isLast || items.length < all.length;
  return more && end ? { items, next: keys.timelineMoment(property, id, end.segment).sk } : { items };
};

/** Moments of a timeline by their segments; `undefined` for a segment that is no moment of the timeline. */
export const readMoments = async (
  table: Table,
  property: number,
  { id, latest }: Timeline,
  segments: readonly number[],
): Promise<readonly (Moment | undefined)[]> => {
  const items = await table.getMany(segments.map((segment) => keys.timelineMoment(property, id, segment)));
  return segments.map((segment, index) => {
    const item = items[index];
    return segment === latest.segment ? latest : item && parseTimelineMoment(item);
  });
};
