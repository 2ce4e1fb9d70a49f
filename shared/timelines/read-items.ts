import type { Page } from '../http/listing.ts';
import { keys } from '../table/keys.ts';
import { belongsTo } from '../table/scoped-ids.ts';
import type { Table } from '../table/table.ts';
import { isLive } from '../references/lifecycle.ts';
import { parseTimeline, parseTimelineMoment, type Moment, type Timeline } from './timeline-items.ts';

/** The timeline of an id; undefined when there is none, or it is another property's. */
export const readTimeline = async (
  table: Table,
  property: number,
  id: number,
): Promise<Timeline | undefined> => {
  const item = belongsTo(property, id) ? await table.get(keys.timeline(property, id)) : undefined;
  return isLive(item) ? parseTimeline(item) : undefined;
};

/** Moments in order of time. `next` is what the following ones start behind, absent at the end. */
export interface MomentPage {
  readonly moments: readonly Moment[];
  readonly next?: string;
}

/** The newest moments of a timeline as it was read, oldest first. */
export const newestMoments = async (
  table: Table,
  property: number,
  { id, latest }: Timeline,
  limit: number,
): Promise<readonly Moment[]> => {
  if (latest.previous === null || limit === 1) return [latest];
  const { pk, sk: after } = keys.timelineMoment(property, id, latest.segment);
  const { items } = await table.query(pk, { after, descending: true, limit: limit - 1 });
  return [latest, ...items.map(parseTimelineMoment)].reverse();
};

/** A page of a timeline's moments, from the first one on. The newest may stand in the timeline alone. */
export const momentsFrom = async (
  table: Table,
  property: number,
  { id, latest }: Timeline,
  { limit, after }: Page,
): Promise<MomentPage> => {
  const { pk, sk: last } = keys.timelineMoment(property, id, latest.segment);
  const { items, next } = await table.query(pk, { after, limit });
  const stored = items.filter(({ sk }) => sk < last).map(parseTimelineMoment);
  const isLast = next === undefined || next >= last;
  const all = isLast && (after === undefined || after < last) ? [...stored, latest] : stored;
  const moments = all.slice(0, limit);
  const end = moments.at(-1);
  const more = !isLast || moments.length < all.length;
  return more && end ? { moments, next: keys.timelineMoment(property, id, end.segment).sk } : { moments };
};

/** Some moments of a timeline by their segments; undefined where it has no such one. */
export const readMoments = async (
  table: Table,
  property: number,
  { id, latest }: Timeline,
  segments: readonly number[],
): Promise<readonly (Moment | undefined)[]> => {
  const items = await table.getMany(segments.map((one) => keys.timelineMoment(property, id, one)));
  return segments.map((segment, index) => {
    const item = items[index];
    return segment === latest.segment ? latest : item && parseTimelineMoment(item);
  });
};
