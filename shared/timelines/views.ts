import { creatorView } from '../http/api-user.ts';
import { isoTime } from '../runtime/clock.ts';
import { segmentProfilesPath } from '../segments/list-segment-profiles.ts';
import type { Moment, Timeline } from './timeline-items.ts';

/** The view of a timeline with some of its moments. */
export const timelineView = (
  baseUrl: string,
  property: number,
  timeline: Timeline,
  moments: readonly Moment[],
) => ({
  ...timelineFactsView(timeline),
  moments: moments.map((moment) => momentView(baseUrl, property, moment)),
});

/** A timeline as a list of timelines shows it. */
export type TimelineView = ReturnType<typeof timelineView>;

/** The view of a timeline without its moments. */
export const timelineFactsView = ({ id, name, reference_tile, created, created_by, schedule }: Timeline) => ({
  id,
  name,
  reference_tile,
  created_by: creatorView(created_by),
  created_date: isoTime(created),
  schedule,
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
