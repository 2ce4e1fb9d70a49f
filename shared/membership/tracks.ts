/**
 * Tracks: from which chunk the requests of a process take ordinals, so that processes at work at the same time do not write
 * the same chunks. Neighbouring ordinals share the chunk of every segment that they have in common.
 */
import { limits } from '../config/limits.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';

/** Tracks besides the first, which is the counter itself. A property has as many more chunks that are not full. */
const TRACKS = 16;

/**
 * How long a process stays on the tracks after it has met another one. Then it tries the counter again, so that people
 * who come one by one fill one chunk.
 */
const TRACK_MS = 60_000;

/**
 * So many requests in one pass are a crowd: its pass saves more chunk writes than people in one chunk cost in waiting. On
 * DynamoDB a pass serves eight at a hundred new people a second (`bench/probes/hot-chunk.ts`).
 */
const CROWD = 8;

/** How long a process goes by a crowd that it has seen. */
const CROWD_MS = 10_000;

/** Properties that a process remembers. */
const CACHED = 1_000;

/** Chooses the track of a process in each property. */
export interface Tracks {
  /** The track from which the process takes ordinals for people who come one by one: 0 for the counter. */
  of(property: number): number;
  /** Notes that another process was at work on the chunk of this ordinal. The next ordinals come from another track. */
  met(property: number, ordinal: number): void;
  /** Notes how many requests a pass over a group of the property has served. */
  served(property: number, requests: number): void;
}

/**
 * The tracks of a process. It leaves the counter, or its track, when it meets another process there. Each of them has a run
 * of ordinals of its own, and the number of the run says how far to go, so they part.
 */
export const processTracks = (clock: Clock): Tracks => {
  const chosen = new BoundedMap<number, { readonly track: number; readonly until: number }>(CACHED);
  const crowded = new BoundedMap<number, number>(CACHED);
  return {
    of: (property) => {
      const choice = chosen.get(property);
      const isCrowded = clock() < (crowded.get(property) ?? 0);
      return choice && clock() < choice.until && !isCrowded ? choice.track : 0;
    },
    met: (property, ordinal) => {
      const run = Math.floor(ordinal / limits.profiles.ordinalsPerReservation);
      const { track = 0 } = chosen.get(property) ?? {};
      const further = track === 0 ? run : track + (run % (TRACKS - 1));
      chosen.set(property, { track: 1 + (further % TRACKS), until: clock() + TRACK_MS });
    },
    served: (property, requests) => {
      if (requests >= CROWD) crowded.set(property, clock() + CROWD_MS);
    },
  };
};
