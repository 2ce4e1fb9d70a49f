import { describe, expect, it } from 'vitest';
import { processTracks } from '../../shared/membership/tracks.ts';
import { limits } from '../../shared/config/limits.ts';

const PROPERTY = 7;
const RUN = limits.profiles.ordinalsPerReservation;

const tracksAt = () => {
  const time = { now: 0 };
  return { time, tracks: processTracks(() => time.now) };
};

describe('a process', () => {
  it('takes ordinals from the counter until it meets another process', () => {
    const { tracks } = tracksAt();
    expect(tracks.of(PROPERTY)).toBe(0);
    tracks.met(PROPERTY, 5);
    expect(tracks.of(PROPERTY)).toBeGreaterThan(0);
    expect(tracks.of(PROPERTY + 1)).toBe(0);
  });

  it('parts from all whom it meets, who have the runs beside its own', () => {
    const places = Array.from({ length: 16 }, (_, run) => {
      const { tracks } = tracksAt();
      tracks.met(PROPERTY, run * RUN + (run % RUN));
      return tracks.of(PROPERTY);
    });
    expect(new Set(places).size).toBe(places.length);
  });

  it('never stays on a track where it has met another process', () => {
    for (let run = 0; run < 64; run += 1) {
      const { tracks } = tracksAt();
      tracks.met(PROPERTY, 5);
      const before = tracks.of(PROPERTY);
      tracks.met(PROPERTY, run * RUN);
      expect([0, before]).not.toContain(tracks.of(PROPERTY));
    }
  });

  it('returns to the counter after a minute', () => {
    const { tracks, time } = tracksAt();
    tracks.met(PROPERTY, 5);
    time.now = 59_999;
    expect(tracks.of(PROPERTY)).not.toBe(0);
    time.now = 60_000;
    expect(tracks.of(PROPERTY)).toBe(0);
  });

  it('returns to the counter in a crowd, for ten seconds', () => {
    const { tracks, time } = tracksAt();
    tracks.met(PROPERTY, 5);
    const track = tracks.of(PROPERTY);
    tracks.served(PROPERTY, 7);
    expect(tracks.of(PROPERTY)).toBe(track);
    tracks.served(PROPERTY, 8);
    expect(tracks.of(PROPERTY)).toBe(0);
    time.now = 10_000;
    expect(tracks.of(PROPERTY)).toBe(track);
  });
});
