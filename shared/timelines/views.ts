import { creatorView } from '../http/api-user.ts';
import { isoTime } from '../runtime/clock.ts';
import { shownNextRun } from '../schedules/client-schedules.ts';
import { segmentProfilesPath } from '../segments/list-segment-profiles.ts';
import { type Moment, scheduleOf, type Timeline } from './timeline-items.ts';

/** Where and when a timeline is shown. `now` in epoch milliseconds. */
export interface TimelineLook {
  readonly baseUrl: string;
  readonly property: number;
  readonly now: number;
}

/** The view of a timeline with some of its moments. */
export const timelineView = (
  { baseUrl, property, now }: TimelineLook,
  timeline: Timeline,
  moments: readonly Moment[],
) => ({
  ...timelineFactsView(timeline, now),
  moments: moments.map((moment) => momentView(baseUrl, property, moment)),
});

/** A timeline as a list of timelines shows it. */
export type TimelineView = ReturnType<typeof timelineView>;

/** The view of a timeline without its moments, at a time (epoch milliseconds). */
export const timelineFactsView = (timeline: Timeline, now: number) => ({
  id: timeline.id,
  name: timeline.name,
  reference_tile: timeline.reference_tile,
  created_by: creatorView(timeline.created_by),
  created_date: isoTime(timeline.created),
  schedule: timeline.schedule,
  next_run: shownNextRun(scheduleOf(timeline), now),
});

/** The view of a moment. Its id is the id of its segment. */
export const momentView = (
  baseUrl: string,
  property: number,
  { segment, previous, name, created, created_by, comments }: Moment,
) => {
  const profiles = (of: number): string => `${baseUrl}${segmentProfilesPath(property, of)}`;
  return {
    id: segment,
    name,
    comments,
    created_by: creatorView(created_by),
    created_date: isoTime(created),
    links: {
      profiles: profiles(segment),
      profiles_added: previous === null ? null : `${profiles(segment)}?not=${previous}`,
      profiles_removed: previous === null ? null : `${profiles(previous)}?not=${segment}`,
    },
  };
};
