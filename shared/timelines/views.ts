import { isoTime } from '../runtime/clock.ts';
import { segmentProfilesPath } from '../segments/list-segment-profiles.ts';
import type { Moment, Timeline } from './timeline-items.ts';

/** A timeline as the API shows it, with some of its moments. */
export const timelineView = (
  baseUrl: string,
  property: number,
  timeline: Timeline,
  moments: readonly Moment[],
) => ({
  ...timelineFactsView(timeline),
  moments: moments.map((moment) => momentView(baseUrl, property, moment)),
});

/** A timeline without its moments. */
export const timelineFactsView = ({ id, name, reference_tile, created, created_by, schedule }: Timeline) => ({
  id,
  name,
  reference_tile,
  created_by,
  created_date: isoTime(created),
  schedule,
});

/** A moment as the API shows it: its id is that of a segment. */
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
    created_by,
    created_date: isoTime(created),
    links: {
      profiles: profiles(segment),
      profiles_added: previous === null ? null : `${profiles(segment)}?not=${previous}`,
      profiles_removed: previous === null ? null : `${profiles(previous)}?not=${segment}`,
    },
  };
};
