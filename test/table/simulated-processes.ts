/** Simulation in virtual time: processes with rate control write to a table that serves a fixed number of units. */
import {
  afterServed,
  afterThrottled,
  refilled,
  spent,
  unboundedRate,
  waitOf,
  type Rate,
} from '../../shared/table/rate-control.ts';

/** What to simulate. */
interface Scene {
  /** Units per second of the table, by virtual milliseconds. */
  readonly capacity: (now: number) => number;
  readonly processes: number;
  readonly seconds: number;
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** The share of the units of a batch that one hot partition refuses, whatever the table has left. */
  readonly hot?: number;
  /** Milliseconds between single writes of a caller without rate control. */
  readonly lookupEvery?: number;
}

/** What came out. */
interface Outcome {
  /** Units that the table served, by process. */
  readonly served: readonly number[];
  /** Units served in each second. */
  readonly bySecond: readonly number[];
  readonly offered: number;
  /** Waiting times of the single writes, sorted. */
  readonly waits: readonly number[];
}

/** Batches of a process that are under way at once: four slices with four requests each. */
const AT_ONCE = 16;
const BATCH = 25;
const CALL_MS = 8;

/** Runs a scene. */
export const simulate = (scene: Scene): Outcome => {
  const { capacity, processes, seconds, random, hot = 0, lookupEvery } = scene;
  const end = seconds * 1_000;
  const events: { readonly at: number; readonly run: () => void }[] = [];
  let now = 0;
  const later = (ms: number, run: () => void): void => {
    const at = now + ms;
    let place = events.length;
    while (place > 0 && (events[place - 1]?.at ?? 0) < at) place -= 1;
    events.splice(place, 0, { at, run });
  };
  const served = Array.from({ length: processes }, () => 0);
  const bySecond = Array.from({ length: seconds }, () => 0);
  const bucket = { units: 0, at: 0, offered: 0 };
  const take = (wanted: number): number => {
    const earned = (capacity(now) * (now - bucket.at)) / 1_000;
    bucket.offered += earned;
    bucket.units = Math.min(capacity(now), bucket.units + earned);
    bucket.at = now;
    const given = Math.min(wanted, Math.floor(bucket.units));
    bucket.units -= given;
    bySecond[Math.floor(now / 1_000)] = (bySecond[Math.floor(now / 1_000)] ?? 0) + given;
    return given;
  };
  const jitter = (round: number): number => random() * 25 * 2 ** Math.min(round, 4);

  const startProcess = (index: number): void => {
    let rate: Rate = unboundedRate(now);
    const waiting: (() => void)[] = [];
    let asleep = false;
    const admit = (): void => {
      while (waiting.length > 0 && !asleep) {
        rate = refilled(rate, now);
        const wait = waitOf(rate, now);
        if (wait > 0) {
          asleep = true;
          later(Math.min(wait, 200), () => {
            asleep = false;
            admit();
          });
          return;
        }
        rate = spent(rate, BATCH);
        waiting.shift()?.();
      }
    };
    const answer = (units: number, round: number): void => {
      const given = take(Math.ceil(units * (1 - hot)));
      served[index] = (served[index] ?? 0) + given;
      rate = spent(afterServed(rate, given, now), given - BATCH);
      if (given === units) {
        send(BATCH, 1);
        return;
      }
      rate = afterThrottled(rate, units - given, now);
      later(jitter(round), () => send(units - given, round + 1));
    };
    const send = (units: number, round: number): void => {
      waiting.push(() => later(CALL_MS, () => answer(units, round)));
      admit();
    };
    for (let call = 0; call < AT_ONCE; call += 1) later(call, () => send(BATCH, 1));
  };

  const waits: number[] = [];
  const lookUp = (since: number, round: number): void => {
    if (take(1) === 1) waits.push(now - since);
    else later(jitter(round), () => lookUp(since, round + 1));
  };
  for (let index = 0; index < processes; index += 1) startProcess(index);
  if (lookupEvery !== undefined)
    for (let at = 0; at < end; at += lookupEvery) later(at, () => lookUp(now, 1));
  for (let event = events.pop(); event && event.at < end; event = events.pop()) {
    now = event.at;
    event.run();
  }
  return { served, bySecond, offered: bucket.offered, waits: waits.toSorted((a, b) => a - b) };
};
