/** Ordinals: gives out the numbers of new profiles. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Tracks } from '../membership/tracks.ts';
import { keys, ORDINALS_PER_CHUNK } from '../table/keys.ts';
import { counterIn } from '../table/read-counter.ts';
import type { StoredItem, Table } from '../table/table.ts';

/**
 * Allocates the ordinals of a property. Gaps are allowed; no ordinal is ever reused. After a restore, `raiseCounters` sees
 * to that.
 */
export interface Ordinals {
  /** Returns `count` new ordinals, ascending. */
  take(property: number, count: number): Promise<readonly number[]>;
}

const { ordinalsPerReservation } = limits.profiles;

/**
 * Allocates ordinals from the counter of the property. For a single profile it reserves a small range and keeps the
 * rest for the next profiles that this process creates. It takes the range from the track of the process (`Tracks`). For
 * several profiles it reserves the exact count, so that an import leaves few gaps.
 */
export const ordinalSource = (table: Table, tracks: Pick<Tracks, 'of'>): Ordinals => {
  const kept = new Map<string, number[]>();
  const reserve = async (property: number, count: number): Promise<number[]> => {
    const end = await table.increment(keys.counter(property, 'ordinal'), count);
    return range(end - count, count);
  };
  return {
    take: async (property, count) => {
      if (count === 0) return [];
      if (count > 1) return reserve(property, count);
      const track = tracks.of(property);
      const name = `${property} ${track}`;
      const rest = kept.get(name) ?? [];
      const next = rest.shift();
      if (next !== undefined) return [next];
      const found = track === 0 ? undefined : await fromTrack(table, property, track);
      const [first, ...others] = found ?? (await reserve(property, track === 0 ? ordinalsPerReservation : 1));
      kept.set(name, others);
      return first === undefined ? [] : [first];
    },
  };
};

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

const trackItem = v.object({
  w: v.string(),
  next: v.number(),
  end: v.number(),
  raised: v.nullable(v.string()),
});

/**
 * Reserves a range of a track. A track is a chunk of ordinals from the counter, and gets another one when it is used up.
 * After a restore it would give ordinals out again, so it ends when its counter is raised. Undefined when another process
 * writes the same items, and before the first ordinal of the property: then the counter serves once.
 */
const fromTrack = async (table: Table, property: number, track: number): Promise<number[] | undefined> => {
  const [key, counterKey] = [keys.ordinalTrack(property, track), keys.counter(property, 'ordinal')];
  const [stored, counted] = await table.getMany([key, counterKey]);
  if (!counted) return undefined;
  const { value, raised } = counterIn(counted);
  let { next, end } = leftOf(stored, raised);
  if (end - next < ordinalsPerReservation) {
    [next, end] = [value, value + ORDINALS_PER_CHUNK];
    // Not an addition: of two processes that meet here, one leaves no gap.
    const set = { value: end };
    const outcome = await table.write({ kind: 'update', key: counterKey, set, expect: { w: counted.w } });
    if (outcome !== 'applied') return undefined;
  }
  const set = { next: next + ordinalsPerReservation, end, raised };
  const outcome = await table.write(
    stored ? { kind: 'update', key, set, expect: { w: stored.w } } : { kind: 'insert', key, set },
  );
  return outcome === 'applied' ? range(next, ordinalsPerReservation) : undefined;
};

/** The ordinals that a track has left. It has none once its counter was raised. */
const leftOf = (
  stored: StoredItem | undefined,
  raised: string | null,
): { readonly next: number; readonly end: number } => {
  const track = stored && v.parse(trackItem, stored);
  return track?.raised === raised ? track : { next: 0, end: 0 };
};
