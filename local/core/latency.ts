/** Latency: how long AWS calls and cold starts take in AWS. */
import { seededRandom, type SeededRandom } from './seeded-random.ts';
import type { LatencyRange } from './strictness.ts';

/** Factors by which calls to a service take longer than calls to the table. */
interface Factors {
  readonly p50: number;
  readonly p99: number;
}

/** With a table of 4:10 ms, an object takes 20:60 ms. */
const OBJECTS: Factors = { p50: 5, p99: 6 };

/** With a table of 4:10 ms, a queue, a key and all other services take 8:20 ms. */
const OTHERS: Factors = { p50: 2, p99: 2 };

const FACTORS: Readonly<Record<string, Factors>> = { dynamodb: { p50: 1, p99: 1 }, s3: OBJECTS };

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.326;

/**
 * Log-normal times with the median and the 99th percentile of each service: few calls are much faster than the median,
 * and some are much slower.
 */
export const createLatency = (range: LatencyRange, seed: number) => {
  const random = seededRandom(seed);
  return {
    /** The time of the next call of this action by this caller, from the request to the answer. */
    call: (service: string, caller: string, action: string): number => {
      const factors = FACTORS[service] ?? OTHERS;
      const [p50, p99] = [range.p50 * factors.p50, range.p99 * factors.p99];
      return p50 * (p99 / p50) ** (normal(random, `${caller}\n${action}`) / Z99);
    },
  };
};

/** The times of AWS calls, in milliseconds. The same seed gives the same times. */
export type Latency = ReturnType<typeof createLatency>;

/** A draw of the standard normal distribution (Box–Muller). */
const normal = (random: SeededRandom, key: string): number =>
  Math.sqrt(-2 * Math.log(1 - random('radius', key))) * Math.cos(2 * Math.PI * random('angle', key));

/** Time of a cold start without any code, and for each KB of the bundle, in milliseconds. */
const EMPTY_START_MS = 400;
const START_MS_PER_KB = 0.5;

/**
 * The time from the start of a sandbox to its first invocation. An estimate to be measured in a deployment: public
 * measurements give 0.4 to 0.5 s for a small Node.js function, and 0.9 s for a bundle of 1 MB with clients of the SDK.
 */
export const coldStartMs = (bundleBytes: number): number =>
  EMPTY_START_MS + (START_MS_PER_KB * bundleBytes) / 1024;
